use toolgate::{ToolError, tool, toolset};

/// Acts.
#[tool(risk = "read")]
fn look() -> Result<(), ToolError> {
    Ok(())
}

toolset! { static TOOLS = [look, "peek"]; }

fn main() {}

//~ 9 "peek"
