use toolgate::tool_type;

#[tool_type]
enum Never {}

fn main() {}

//~ 4 Never
