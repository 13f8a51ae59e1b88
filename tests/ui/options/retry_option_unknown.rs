use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", failure_policy = retry(backof = "1s"))]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 backof
