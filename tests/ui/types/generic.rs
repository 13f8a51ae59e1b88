use toolgate::tool_type;

#[tool_type]
struct Pair<T> {
    left: T,
}

fn main() {}
