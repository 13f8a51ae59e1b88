use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
extern "C" fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 5 extern "C"
