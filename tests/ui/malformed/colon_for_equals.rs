use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk: "read", title: "Look")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 :
//~ 4 :
