use toolgate::{ToolError, tool, toolset};

/// Acts.
#[tool(risk = "read")]
fn look() -> Result<(), ToolError> {
    Ok(())
}

/// Acts.
#[tool(risk = "read", precondition(tool = look))]
fn act() -> Result<(), ToolError> {
    Ok(())
}

toolset! { static TOOLS = [act]; }

fn main() {}

//~ 15 act
