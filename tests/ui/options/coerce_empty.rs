use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", coerce = [])]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}
