use toolgate::tool;

/// Acts.
#[tool(risk = "read")]
struct Act;

fn main() {}
