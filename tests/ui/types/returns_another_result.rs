use toolgate::tool;

type NoResult = Option<u8>;

/// Acts.
#[tool(risk = "read")]
fn act() -> NoResult {
    None
}

fn main() {
    drop(act);
}

//~ 7 NoResult
//~ 6 #[tool(risk = "read")]
