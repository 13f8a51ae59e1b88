use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", crate = toolgate)]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 toolgate
