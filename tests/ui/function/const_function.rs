use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
const fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 5 const
