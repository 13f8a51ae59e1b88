use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", precondition(tool = "act"))]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 "act"
