use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", permissions = ["a", "a"])]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 "a"
