use toolgate::tool_type;

#[tool_type]
struct Pair<T> {
    /// One side.
    left: T,
}

fn main() {}

//~ 4 T
