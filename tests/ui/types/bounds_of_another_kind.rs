use toolgate::tool_type;

#[tool_type(pattern = "a", min_length = 3)]
struct Age(u8);

fn main() {}
