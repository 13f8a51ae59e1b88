use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "write", once, confirm = "")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 ""
