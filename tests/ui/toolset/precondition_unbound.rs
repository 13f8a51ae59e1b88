use toolgate::{ToolError, tool, toolset};

/// Acts.
#[tool(risk = "read")]
fn look(
    /// It.
    what: u8,
) -> Result<(), ToolError> {
    let _ = what;
    Ok(())
}

/// Acts.
#[tool(risk = "read", precondition(tool = "look"))]
fn act(
    /// It.
    what: u8,
) -> Result<(), ToolError> {
    let _ = what;
    Ok(())
}

toolset! { static TOOLS = [look, act]; }

fn main() {}

//~ 23 act
