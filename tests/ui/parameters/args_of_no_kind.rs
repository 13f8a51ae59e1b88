use toolgate::{ToolError, tool};

struct Plain {
    service: String,
}

/// Acts.
#[tool(risk = "read")]
fn act(#[args] input: Plain) -> Result<(), ToolError> {
    drop(input);
    Ok(())
}

fn main() {
    drop(act);
}

//~ 9 Plain
