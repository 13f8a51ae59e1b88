use toolgate::tool_type;

struct Handle;

#[tool_type]
struct Pair {
    left: u8,
    right: Handle,
}

fn main() {}
