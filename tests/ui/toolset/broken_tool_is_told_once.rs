use toolgate::{ToolError, tool, toolset};

/// Acts.
#[tool(risk = "red")]
fn look() -> Result<(), ToolError> {
    Ok(())
}

/// Acts.
#[tool(risk = "write", once, precondition(tool = look), failure_policy(fallback = look))]
fn act(
    /// It.
    what: u8,
) -> Result<(), ToolError> {
    let _ = what;
    Ok(())
}

toolset! { static TOOLS = [look, act]; }

fn main() {}

//~ 4 "red"
