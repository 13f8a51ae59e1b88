use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "write", once, key = ["what"])]
fn act(
    /// Why.
    #[arg(reason)]
    what: String,
) -> Result<(), ToolError> {
    let _ = what;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 "what"
