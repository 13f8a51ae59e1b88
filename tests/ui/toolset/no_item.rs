use toolgate::{ToolError, tool, toolset};

/// Looks.
#[tool(risk = "read")]
fn look() -> Result<(), ToolError> {
    Ok(())
}

toolset! { static TOOLS: [look]; }

fn main() {
    drop(look);
}

//~ 9 :
