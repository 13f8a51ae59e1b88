use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", timeout = 0)]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 0
