use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "write", once, unconfirmed = "no need")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 unconfirmed
