use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", timeout = "25h")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 "25h"
