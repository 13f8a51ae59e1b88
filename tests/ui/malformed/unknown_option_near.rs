use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "write", idempotant, once)]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 idempotant
