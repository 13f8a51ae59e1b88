use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", coerce = ["double-encoded", "double-encoded"])]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}
