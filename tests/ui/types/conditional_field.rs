use toolgate::tool_type;

#[tool_type]
struct Side {
    /// One side.
    #[cfg(all())]
    left: u8,
}

fn main() {}

//~ 6 cfg
