use toolgate::{ToolError, tool};
use std::path::PathBuf;

/// Acts.
#[tool(risk = "read")]
fn act(
    /// What.
    what: PathBuf,
) -> Result<(), ToolError> {
    let _ = what;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 8 PathBuf
