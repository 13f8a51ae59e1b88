use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act(
    what: String,
) -> Result<(), ToolError> {
    let _ = what;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 6 what
