use toolgate::{ToolError, tool, tool_type};

/// What to restart.
#[tool_type(argument)]
struct Restart {
    /// The service.
    service: String,
}

/// Acts.
#[tool(risk = "read")]
fn act(
    #[args] input: Restart,
    /// How often.
    times: u8,
) -> Result<(), ToolError> {
    drop((input, times));
    Ok(())
}

fn main() {
    drop(act);
}
