use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", precondition(tool = "look", when = "resutl.status == 'ok'"))]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 "resutl.status == 'ok'"
