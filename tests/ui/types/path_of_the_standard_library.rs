//! A `PathBuf` is a path that nothing holds to the workspace.
use std::path::PathBuf;

use toolgate::{ToolError, tool};

/// Reads a file.
#[tool(risk = "read")]
fn read(
    /// The file.
    file: PathBuf,
) -> Result<String, ToolError> {
    Ok(file.display().to_string())
}

fn main() {
    let _ = toolgate::toolset![read];
}
