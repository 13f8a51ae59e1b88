use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "write", once, settle = "30s")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 settle
