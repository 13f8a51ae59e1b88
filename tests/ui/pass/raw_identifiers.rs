//! Raw identifiers lose their `r#` on the wire.

use toolgate::{ToolError, tool, toolset};

/// Moves it.
#[tool(risk = "write", idempotent, confirm = "Move to {in}?", key = ["type"])]
fn r#move(
    /// What.
    r#type: String,
    /// Where to.
    r#in: String,
) -> Result<(), ToolError> {
    let _ = (r#type, r#in);
    Ok(())
}

fn main() {
    let spec = toolset![r#move].entries[0].spec;
    assert_eq!(spec.name, "move");
    assert_eq!([spec.params[0].name, spec.params[1].name], ["type", "in"]);
}
