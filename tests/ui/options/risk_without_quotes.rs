use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = read)]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 read
