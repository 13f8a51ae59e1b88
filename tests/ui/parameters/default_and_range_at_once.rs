use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act(
    /// What.
    #[arg(range = 0.5..=300.0, default = 500)]
    what: u8,
) -> Result<(), ToolError> {
    let _ = what;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 7 0.5..=300.0
//~ 7 0.5..=300.0
//~ 7 500
