use std::path::PathBuf;

use toolgate::{ToolError, tool, tool_type};

/// A place.
#[tool_type]
struct Place {
    /// Where.
    at: PathBuf,
}

/// Acts.
#[tool(risk = "read")]
fn act(
    /// What.
    what: Place,
) -> Result<(), ToolError> {
    let _ = what;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 9 PathBuf
