use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "write", once, undo = check)]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 undo
