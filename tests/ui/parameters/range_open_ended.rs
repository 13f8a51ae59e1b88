use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act(
    /// How much.
    #[arg(range = 0.0..1.0)]
    share: f64,
) -> Result<(), ToolError> {
    let _ = share;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 7 0.0..1.0
