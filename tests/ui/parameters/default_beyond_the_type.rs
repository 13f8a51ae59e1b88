use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act(
    /// What.
    #[arg(default = 500)]
    what: u8,
) -> Result<(), ToolError> {
    let _ = what;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 7 500
