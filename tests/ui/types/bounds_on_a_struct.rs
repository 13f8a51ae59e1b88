use toolgate::tool_type;

#[tool_type(pattern = "a")]
struct Side {
    /// One side.
    left: String,
}

fn main() {}

//~ 3 pattern
