use toolgate::{ToolError, tool, toolset};

/// Acts.
#[tool(risk = "read", precondition(tool = a))]
fn a() -> Result<(), ToolError> {
    Ok(())
}

toolset! { static TOOLS = [a]; }

fn main() {}

//~ 9 a
