use toolgate::{ToolError, tool, tool_type};

/// What to restart.
#[tool_type(argument)]
struct Restart {
    /// The service.
    service: String,
    /// Opens the door.
    #[arg(sensitive)]
    pin: String,
    /// Why.
    #[arg(reason)]
    why: String,
}

/// Acts.
#[tool(risk = "read", timeout = 5)]
fn act(
    #[args] input: Restart,
    /// Whether to do it.
    really: bool,
) -> Result<(), ToolError> {
    drop((input, really));
    Ok(())
}

fn main() {
    drop(act);
}

//~ 21 really
