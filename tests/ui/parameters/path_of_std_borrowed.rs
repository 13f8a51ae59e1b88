use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act(
    /// What.
    what: &std::path::PathBuf,
) -> Result<(), ToolError> {
    let _ = what;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 7 &std::path::PathBuf
