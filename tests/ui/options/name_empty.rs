use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", name = "")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 ""
