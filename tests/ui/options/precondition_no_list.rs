use toolgate::{ToolError, tool};

/// Looks.
#[tool(risk = "read")]
fn look() -> Result<(), ToolError> {
    Ok(())
}

/// Acts.
#[tool(risk = "write", idempotent, precondition = look)]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop((look, act));
}

//~ 10 precondition
