use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "dangerous", once)]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 risk
