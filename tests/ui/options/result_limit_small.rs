use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", result_limit = 10)]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 10
