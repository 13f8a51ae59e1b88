use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", name = "delete file!")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 "delete file!"
