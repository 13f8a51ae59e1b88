use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", timeout = 10, timeout = 20)]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 timeout
