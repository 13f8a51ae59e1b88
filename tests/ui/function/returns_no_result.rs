use toolgate::tool;

/// Acts.
#[tool(risk = "read")]
fn act() -> Option<u8> {
    None
}

fn main() {
    drop(act);
}

//~ 5 Option<u8>
