use toolgate::{ToolError, tool, toolset};

/// Acts.
#[tool(risk = "read", precondition(tool = b))]
fn a() -> Result<(), ToolError> {
    Ok(())
}

/// Acts.
#[tool(risk = "read", precondition(tool = "c"))]
fn b() -> Result<(), ToolError> {
    Ok(())
}

/// Acts.
#[tool(risk = "read", precondition(tool = a))]
fn c() -> Result<(), ToolError> {
    Ok(())
}

toolset! { static TOOLS = [a, b, c]; }

fn main() {}

//~ 21 a
