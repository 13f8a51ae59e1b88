use toolgate::tool_type;

#[tool_type]
struct Side {
    left: u8,
    /// Degrees.
    right: u8,
}

#[tool_type(argument)]
enum Figure {
    Nothing,
    Circle(u8),
    Square { side: u8 },
}

#[tool_type(result)]
struct Seen {
    left: u8,
}

#[tool_type]
enum Word {
    Left,
}

fn main() {}

//~ 5 left
//~ 13 Circle
//~ 14 side
