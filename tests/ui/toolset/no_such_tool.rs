use toolgate::{ToolError, tool, toolset};

/// Acts.
#[tool(risk = "read")]
fn look() -> Result<(), ToolError> {
    Ok(())
}

toolset! { static TOOLS = [loko, look]; }

fn main() {}

//~ 9 loko
