use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act(
    /// What.
    (a, b): (u8, u8),
) -> Result<(), ToolError> {
    let _ = (a, b);
    Ok(())
}

fn main() {
    drop(act);
}

//~ 7 (a, b)
