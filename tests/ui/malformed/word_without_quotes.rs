use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", title = look)]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 look
