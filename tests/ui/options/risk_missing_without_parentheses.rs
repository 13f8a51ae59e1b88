use toolgate::{ToolError, tool};

/// Acts.
#[tool]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 5 act
