use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "write", once, effects = "noted")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 "noted"
