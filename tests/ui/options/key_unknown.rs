use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "write", once, key = ["waht"])]
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

//~ 4 "waht"
