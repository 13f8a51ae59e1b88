use toolgate::{ToolError, tool, toolset};

/// Acts.
#[tool(risk = "read")]
fn look() -> Result<(), ToolError> {
    Ok(())
}

pub fn list() {
    drop(toolset![look, look]);
}

fn main() {}

//~ 10 look
