use toolgate::{ToolError, tool};

#[tool(risk = "read")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 act
