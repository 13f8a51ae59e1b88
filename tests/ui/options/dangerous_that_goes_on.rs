use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "dangerous", once, confirm = "Do it?", failure_policy = "abort")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 failure_policy
