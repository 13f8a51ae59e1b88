use toolgate::tool_type;

/// A side.
#[tool_type]
struct Side {
    /// Why.
    #[arg(reason)]
    why: String,
    /// Why else.
    #[arg(reason)]
    why_else: String,
}

fn main() {}

//~ 10 reason
