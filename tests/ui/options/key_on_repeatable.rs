use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "write", repeatable = "each is new", key = "host")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 key
