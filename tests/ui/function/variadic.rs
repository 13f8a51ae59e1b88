use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act(
    /// What.
    what: u8,
    _rest: ...
) -> Result<(), ToolError> {
    let _ = what;
    Ok(())
}

fn main() {}

//~ 8 _rest: ...
//~ 8 _rest: ...
//~ 5 fn act(
