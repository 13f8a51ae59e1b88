use toolgate::{ToolError, tool, toolset};

struct Look;

/// Acts.
#[tool(risk = "read")]
fn look() -> Result<(), ToolError> {
    Ok(())
}

toolset! { static TOOLS = [look, Look]; }

fn main() {}

//~ 11 Look
