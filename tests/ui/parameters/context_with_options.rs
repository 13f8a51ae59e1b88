use toolgate::{Context, ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act(
    #[arg(sensitive)]
    ctx: &Context,
) -> Result<(), ToolError> {
    let _ = ctx;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 7 ctx
