use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act(
    /// What.
    what: impl Into<String>,
) -> Result<(), ToolError> {
    let _ = what;
    Ok(())
}

fn main() {}

//~ 7 impl Into<String>
