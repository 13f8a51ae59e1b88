use toolgate::{ToolError, tool};

/// Looks.
#[tool(risk = "read")]
fn look(
    /// At what.
    what: String,
) -> Result<(), ToolError> {
    drop(what);
    Ok(())
}

/// Acts.
#[tool(risk = "read", precondition(tool = look))]
fn act(
    /// What.
    what: String,
) -> Result<(), ToolError> {
    let _ = what;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 14 look
