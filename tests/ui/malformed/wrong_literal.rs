use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", title = 5)]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 5
