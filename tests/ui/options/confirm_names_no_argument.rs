use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "write", once, confirm = "Do {what}?")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 "Do {what}?"
