use toolgate::{Context, Recorded, ToolError, tool};

async fn holds(_ctx: &Context, _recorded: &Recorded) -> Result<bool, ToolError> {
    Ok(true)
}

/// Acts.
#[tool(risk = "write", once, verify = holds)]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
    drop(holds);
}

//~ 8 verify
