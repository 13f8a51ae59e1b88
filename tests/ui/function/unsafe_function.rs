use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
unsafe fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {}

//~ 5 unsafe
