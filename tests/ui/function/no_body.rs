use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act() -> Result<(), ToolError>;

fn main() {
    drop(act);
}

//~ 5 act
