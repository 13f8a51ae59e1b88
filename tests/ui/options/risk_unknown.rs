use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "danger")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 "danger"
