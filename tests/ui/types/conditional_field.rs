use toolgate::tool_type;

#[tool_type]
struct Side {
    #[cfg(all())]
    left: u8,
}

fn main() {}
