use toolgate::{Context, Recorded, ToolError, tool};

async fn became(_ctx: &Context, _recorded: &Recorded) -> Result<bool, ToolError> {
    Ok(true)
}

/// Acts.
#[tool(risk = "write", once, reconcile = became)]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 8 became
