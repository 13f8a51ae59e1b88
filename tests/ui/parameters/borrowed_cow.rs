use std::borrow::Cow;

use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act(
    /// What.
    what: Cow<'_, str>,
) -> Result<(), ToolError> {
    drop(what);
    Ok(())
}

fn main() {
    drop(act);
}

//~ 9 Cow<'_, str>
