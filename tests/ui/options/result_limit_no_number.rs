use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", result_limit = "2k")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 "2k"
