use toolgate::{ToolError, tool, toolset};

/// Acts.
#[tool(risk = "read", failure_policy(fallback = "peek"))]
fn look() -> Result<(), ToolError> {
    Ok(())
}

toolset! { static TOOLS = [look]; }

fn main() {}

//~ 9 look
