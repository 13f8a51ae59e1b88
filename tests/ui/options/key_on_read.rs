use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", key = "host")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 key
