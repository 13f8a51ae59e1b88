use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", frobnicate = 3)]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 frobnicate
