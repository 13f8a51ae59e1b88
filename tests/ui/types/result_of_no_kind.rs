use toolgate::{ToolError, tool};

struct Handle;

/// Acts.
#[tool(risk = "read")]
fn act() -> Result<Handle, ToolError> {
    Ok(Handle)
}

fn main() {
    drop(act);
}

//~ 7 Handle
