use toolgate::tool_type;

#[tool_type]
enum Side {
    Left,
    #[arg(rename = "left")]
    Right,
}

fn main() {}

//~ 7 Right
