use toolgate::{ToolError, tool, toolset};

/// Acts.
#[tool(risk = "read")]
fn look() -> Result<(), ToolError> {
    Ok(())
}

toolset! { static TOOLS = [#[allow(unused)] look]; }

fn main() {}

//~ 9 #[allow(unused)]
