use toolgate::{Context, Reconciled, Recorded, ToolError, tool};

async fn became(_ctx: &Context, _recorded: &Recorded) -> Result<Reconciled, ToolError> {
    Ok(Reconciled::Unknown)
}

/// Acts.
#[tool(risk = "write", idempotent, reconcile = became)]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
    drop(became);
}

//~ 8 reconcile
