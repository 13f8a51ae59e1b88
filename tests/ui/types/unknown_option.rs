use toolgate::tool_type;

#[tool_type(renameall = "snake_case")]
enum Side {
    Left,
}

fn main() {}

//~ 3 renameall
