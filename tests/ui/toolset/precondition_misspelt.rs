use toolgate::{ToolError, tool, toolset};

/// Acts.
#[tool(risk = "read")]
fn look() -> Result<(), ToolError> {
    Ok(())
}

/// Acts.
#[tool(risk = "read", precondition(tool = "loko"))]
fn act() -> Result<(), ToolError> {
    Ok(())
}

toolset! { static TOOLS = [look, act]; }

fn main() {}

//~ 15 act
