use toolgate::tool_type;

#[tool_type]
enum Side {
    Left(u8, u8),
}

fn main() {}

//~ 5 Left
