use toolgate::{ToolError, tool};

/// Looks.
#[tool(risk = "read")]
fn look() -> Result<bool, ToolError> {
    Ok(true)
}

/// Acts.
#[tool(risk = "write", idempotent, precondition(tool = look, when = "result =="))]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop((look, act));
}

//~ 10 "result =="
