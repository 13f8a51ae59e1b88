use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "write", idempotent: true)]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 idempotent
