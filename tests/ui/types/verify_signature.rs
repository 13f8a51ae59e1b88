use toolgate::{Context, Recorded, ToolError, tool};

async fn holds(_ctx: &Context, _recorded: &Recorded) -> Result<u8, ToolError> {
    Ok(1)
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
