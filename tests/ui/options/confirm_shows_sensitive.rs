use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "write", once, confirm = "Use {what}?")]
fn act(
    /// A secret.
    #[arg(sensitive)]
    what: String,
) -> Result<(), ToolError> {
    let _ = what;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 "Use {what}?"
