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

/// Looks.
#[tool(risk = "read")]
fn look(
    /// The service.
    service: String,
) -> Result<(), ToolError> {
    drop(service);
    Ok(())
}

/// Acts.
#[tool(risk = "write", idempotent, precondition(tool = look, when = "prior.service == args.servce", unbound = "test"))]
fn act(#[args] input: Restart) -> Result<(), ToolError> {
    drop(input);
    Ok(())
}

fn main() {
    drop(act);
}

//~ 27 "prior.service == args.servce"
