use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", confirm = "Do it?")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 confirm
