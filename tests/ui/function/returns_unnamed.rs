use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act() -> Result<impl Send, ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 5 Result<impl Send, ToolError>
