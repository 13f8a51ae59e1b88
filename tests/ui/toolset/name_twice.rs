use toolgate::{ToolError, tool, toolset};

/// Acts.
#[tool(risk = "read")]
fn look() -> Result<(), ToolError> {
    Ok(())
}

/// Acts.
#[tool(risk = "read", name = "look")]
fn look_again() -> Result<(), ToolError> {
    Ok(())
}

toolset! { static TOOLS = [look, look_again]; }

fn main() {}

//~ 15 look_again
