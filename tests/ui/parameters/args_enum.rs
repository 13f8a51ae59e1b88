use toolgate::{ToolError, tool, tool_type};

/// How.
#[tool_type]
enum Mode {
    Fast,
    Slow,
}

/// Acts.
#[tool(risk = "read")]
fn act(#[args] input: Mode) -> Result<(), ToolError> {
    drop(input);
    Ok(())
}

fn main() {
    drop(act);
}

//~ 12 Mode
