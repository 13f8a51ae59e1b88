use toolgate::{ToolError, tool};

#[doc = ""]
#[tool(risk = "read")]
fn act() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 5 act
