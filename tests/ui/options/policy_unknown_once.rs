use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "write", failure_policy = "ignore", once)]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 "ignore"
