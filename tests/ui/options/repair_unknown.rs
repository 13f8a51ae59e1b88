use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read", coerce = ["string-nmber"])]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 "string-nmber"
