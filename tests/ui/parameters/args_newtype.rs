use toolgate::{ToolError, tool, tool_type};

/// A name.
#[tool_type(max_length = 40)]
struct Name(String);

/// Acts.
#[tool(risk = "read")]
fn act(#[args] input: Name) -> Result<(), ToolError> {
    drop(input);
    Ok(())
}

fn main() {
    drop(act);
}

//~ 9 Name
