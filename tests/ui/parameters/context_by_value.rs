use toolgate::{Context, ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act(
    ctx: Context,
) -> Result<(), ToolError> {
    let _ = ctx;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 6 Context
