use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act(
    /// What.
    #[arg(pattern = "^[a-z]+-[0-9]+$", default = "web")]
    what: String,
) -> Result<(), ToolError> {
    let _ = what;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 7 "web"
