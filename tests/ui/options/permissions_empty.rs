use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", permissions = [])]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 []
