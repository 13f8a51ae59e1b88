use toolgate::{ToolError, tool, toolset};

/// Acts.
#[tool(risk = "read", failure_policy(fallback = peek))]
fn look(
    /// It.
    what: u8,
) -> Result<(), ToolError> {
    let _ = what;
    Ok(())
}

/// Acts.
#[tool(risk = "read")]
fn peek(
    /// It.
    waht: u8,
) -> Result<(), ToolError> {
    let _ = waht;
    Ok(())
}

toolset! { static TOOLS = [look, peek]; }

fn main() {}

//~ 23 look
