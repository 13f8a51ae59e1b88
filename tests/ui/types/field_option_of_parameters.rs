use toolgate::tool_type;

/// A side.
#[tool_type]
enum Side {
    /// One side.
    Left {
        /// Why.
        #[arg(reason)]
        why: String,
    },
}

fn main() {}

//~ 9 reason
