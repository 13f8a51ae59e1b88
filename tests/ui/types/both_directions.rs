use toolgate::tool_type;

#[tool_type(argument, result)]
struct Side {
    left: u8,
}

fn main() {}
