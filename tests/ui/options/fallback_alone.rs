use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", fallback = other)]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 fallback
