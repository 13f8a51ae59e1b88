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
#[tool(risk = "write", idempotent, key = ["servce"])]
fn act(#[args] input: Restart) -> Result<(), ToolError> {
    drop(input);
    Ok(())
}

fn main() {
    drop(act);
}

//~ 17 "servce"
