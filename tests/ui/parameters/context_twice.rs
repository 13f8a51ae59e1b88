use toolgate::{Context, ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act(
    a: &Context,
    b: &Context,
) -> Result<(), ToolError> {
    let _ = (a, b);
    Ok(())
}

fn main() {
    drop(act);
}

//~ 7 b
