use toolgate::tool_type;

#[tool_type(min_length = 3)]
struct Age(u8);

fn main() {}

//~ 3 min_length
