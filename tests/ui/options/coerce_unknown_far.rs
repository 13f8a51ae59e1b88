use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", coerce = ["anything"])]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}
