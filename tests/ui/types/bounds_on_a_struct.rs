use toolgate::tool_type;

#[tool_type(pattern = "a")]
struct Side {
    left: String,
}

fn main() {}
