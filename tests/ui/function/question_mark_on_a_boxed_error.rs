use std::error::Error;

use toolgate::{ToolError, tool};

fn other() -> Result<(), Box<dyn Error>> {
    Ok(())
}

/// Acts.
#[tool(risk = "read")]
fn act() -> Result<(), ToolError> {
    other()?;
    Ok(())
}

fn main() {
    drop(act());
}

//~ 12 ?
