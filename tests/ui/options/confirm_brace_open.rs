use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "write", once, confirm = "Do {what?")]
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

//~ 4 "Do {what?"
