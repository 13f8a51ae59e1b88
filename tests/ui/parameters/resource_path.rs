use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act(
    /// What.
    config_path: String,
) -> Result<(), ToolError> {
    let _ = config_path;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 7 config_path
