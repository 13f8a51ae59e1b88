use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act<T>() -> Result<(), ToolError> {
    Ok(())
}

fn main() {}

//~ 5 T
