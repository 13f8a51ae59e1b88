use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act(
    /// What.
    host: String,
) -> Result<(), ToolError> {
    let _ = host;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 7 host
