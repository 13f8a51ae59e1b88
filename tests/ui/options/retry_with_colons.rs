use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", failure_policy = retry(max: 3))]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 :
