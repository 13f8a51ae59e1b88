use toolgate::{ToolError, tool};

struct Handle;

/// Acts.
#[tool(risk = "read")]
fn act(
    /// What.
    what: Handle,
) -> Result<(), ToolError> {
    let _ = what;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 9 Handle
