use toolgate::{Context, ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act(
    ctx: &Context,
) -> Result<&str, ToolError> {
    Ok(ctx.task())
}

fn main() {
    drop(act);
}

//~ 7 Result<&str, ToolError>
