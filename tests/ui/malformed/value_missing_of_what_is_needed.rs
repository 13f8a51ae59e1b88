use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = )]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 risk
