use toolgate::{ToolError, tool, toolset};

/// Acts.
#[tool(risk = "read", failure_policy(fallback = "peek"))]
fn look() -> Result<(), ToolError> {
    Ok(())
}

/// Acts.
#[tool(risk = "read", name = "look", precondition(tool = "watch"))]
fn see() -> Result<(), ToolError> {
    Ok(())
}

toolset! { static TOOLS = [look, see]; }

fn main() {}

//~ 15 look
//~ 15 see
//~ 15 see
