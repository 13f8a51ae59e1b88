use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", permissions = "read:service")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 "read:service"
