use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act(
    /// What.
    #[arg(not_a_resource = "")]
    path: String,
) -> Result<(), ToolError> {
    let _ = path;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 7 ""
