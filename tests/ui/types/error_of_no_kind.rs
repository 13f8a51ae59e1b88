use toolgate::tool;

/// Acts.
#[tool(risk = "read")]
fn act() -> Result<(), String> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 5 Result
