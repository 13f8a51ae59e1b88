use toolgate::{ToolError, tool};

/// Acts.
#[tool(timeout = 10)]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 5 act
