use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", effects = "marked")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 effects
