use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act(
    /// What.
    files: Option<Vec<String>>,
) -> Result<(), ToolError> {
    let _ = files;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 7 files
