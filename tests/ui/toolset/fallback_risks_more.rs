use toolgate::{ToolError, tool, toolset};

/// Acts.
#[tool(risk = "read", failure_policy(fallback = act))]
fn look() -> Result<(), ToolError> {
    Ok(())
}

/// Acts.
#[tool(risk = "write", once)]
fn act() -> Result<(), ToolError> {
    Ok(())
}

toolset! { static TOOLS = [look, act]; }

fn main() {}

//~ 15 look
