use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", failure_policy = "ignore")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 "ignore"
