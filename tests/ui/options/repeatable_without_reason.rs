use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "write", repeatable)]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 repeatable
