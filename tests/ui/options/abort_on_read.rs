use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", failure_policy = "abort")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 failure_policy
