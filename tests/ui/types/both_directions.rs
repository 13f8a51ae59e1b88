use toolgate::tool_type;

#[tool_type(argument, result)]
struct Side {
    /// One side.
    left: u8,
}

fn main() {}

//~ 3 result
