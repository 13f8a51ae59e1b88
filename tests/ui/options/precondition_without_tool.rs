use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", precondition(when = "result.ok"))]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 precondition
