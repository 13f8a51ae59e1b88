use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", precondition(tool = "look", when = "result.a == args.waht"))]
fn act(
    /// What.
    what: String,
) -> Result<(), ToolError> {
    let _ = what;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 "result.a == args.waht"
