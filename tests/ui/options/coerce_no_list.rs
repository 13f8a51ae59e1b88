use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", coerce = "string-number")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}
