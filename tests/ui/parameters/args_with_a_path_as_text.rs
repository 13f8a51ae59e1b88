use toolgate::{ToolError, tool, tool_type};

/// What to look at.
#[tool_type]
struct Look {
    /// Which service.
    service: String,
    /// Where its log is.
    log_path: String,
}

/// Acts.
#[tool(risk = "read")]
fn act(#[args] input: Look) -> Result<(), ToolError> {
    drop(input);
    Ok(())
}

fn main() {
    drop(act);
}

//~ 14 Look
