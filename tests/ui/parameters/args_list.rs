use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act(#[args] input: Vec<String>) -> Result<(), ToolError> {
    drop(input);
    Ok(())
}

fn main() {
    drop(act);
}

//~ 5 Vec
