use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act(
    /// What.
    #[arg(reason)]
    a: String,
    /// What.
    #[arg(reason)]
    b: String,
) -> Result<(), ToolError> {
    let _ = (a, b);
    Ok(())
}

fn main() {
    drop(act);
}

//~ 10 reason
