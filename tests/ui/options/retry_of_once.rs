use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "write", once, failure_policy = retry(max = 3))]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 failure_policy
