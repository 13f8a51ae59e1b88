use toolgate::tool_type;

#[tool_type]
struct Side {
    /// One side.
    #[arg(reason)]
    left: String,
}

fn main() {}

//~ 6 reason
