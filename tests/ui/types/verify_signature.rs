use toolgate::{Context, ToolError, tool};

async fn holds(_ctx: &Context) -> Result<bool, ToolError> {
    Ok(true)
}

/// Acts.
#[tool(risk = "write", idempotent, verify = holds)]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 8 holds
