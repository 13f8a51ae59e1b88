use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", redact = "mask")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 "mask"
