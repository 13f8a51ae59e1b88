use toolgate::{ToolError, tool};

struct Look;

/// Acts.
#[tool(risk = "read", precondition(tool = Look))]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 6 Look
