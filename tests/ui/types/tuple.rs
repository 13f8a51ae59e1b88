use toolgate::tool_type;

#[tool_type]
struct Pair(u8, u8);

fn main() {}

//~ 4 Pair
