use toolgate::tool_type;

#[tool_type]
struct Nothing;

fn main() {}

//~ 4 Nothing
