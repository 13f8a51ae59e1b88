use toolgate::{ToolError, tool};

fn other() -> Result<(), String> {
    Ok(())
}

/// Acts.
#[tool(risk = "read")]
fn act() -> Result<(), ToolError> {
    match other() {
        Ok(()) => Ok(()),
        Err(text) => Err(ToolError::from(text)),
    }
}

fn main() {
    drop(act());
}

//~ 12 ToolError
