use toolgate::{ToolError, tool, toolset};

/// Acts.
#[tool(risk = "read")]
fn look() -> Result<(), ToolError> {
    Ok(())
}

toolset! { pub TOOLS = [look]; }

fn main() {}

//~ 9 pub
