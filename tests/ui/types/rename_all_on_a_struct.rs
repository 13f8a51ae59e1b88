use toolgate::tool_type;

#[tool_type(rename_all = "snake_case")]
struct Side {
    /// One side.
    left: u8,
}

fn main() {}

//~ 3 rename_all
