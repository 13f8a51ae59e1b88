use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", coerce = ["everything"])]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 "everything"
