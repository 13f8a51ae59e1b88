use toolgate::tool_type;

struct Handle;

#[tool_type]
struct Pair {
    /// One side.
    left: u8,
    /// The other.
    right: Handle,
}

fn main() {}

//~ 10 Handle
