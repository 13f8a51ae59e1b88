use toolgate::tool_type;

#[tool_type]
struct Side {
    /// One side.
    #[arg(max_lenght = 3)]
    left: String,
}

fn main() {}

//~ 6 max_lenght
