use toolgate::tool;

/// Acts.
#[tool(risk = "read")]
struct Act;

fn main() {}

//~ 5 Act
