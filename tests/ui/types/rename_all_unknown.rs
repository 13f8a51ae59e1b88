use toolgate::tool_type;

#[tool_type(rename_all = "Snake")]
enum Side {
    Left,
}

fn main() {}

//~ 3 "Snake"
