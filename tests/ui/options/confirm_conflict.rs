use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "external", once, confirm = "Do it?", unconfirmed = "no need")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 unconfirmed
