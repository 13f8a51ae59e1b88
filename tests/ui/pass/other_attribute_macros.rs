//! Attribute macros of others, above and below `#[tool]`; what the function carries stays on it.

#![deny(warnings)]

use toolgate::{Context, ToolError, tool, toolset};

/// Looks.
#[tracing::instrument(skip_all)]
#[tool(risk = "read")]
fn above(
    /// What.
    #[arg(max_length = 20)]
    what: String,
) -> Result<String, ToolError> {
    Ok(what)
}

/// Looks.
#[tool(risk = "read")]
#[tracing::instrument(skip_all, fields(what))]
async fn below(
    ctx: &Context,
    /// What.
    what: String,
) -> Result<String, ToolError> {
    let _ = ctx.attempt();
    Ok(what)
}

/// Looks.
#[tool(risk = "read")]
#[tracing::instrument]
#[must_use]
#[cfg_attr(all(), inline)]
fn between(
    /// What.
    what: u8,
) -> Result<u8, ToolError> {
    Ok(what)
}

/// Looks.
#[deprecated(note = "use `above`")]
#[tool(risk = "read")]
#[cold]
pub(crate) fn older() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    let tools = toolset![above, below, between, older];
    assert!(tools.entries.iter().all(|entry| entry.spec.doc == "Looks."));
    assert_eq!(tools.entries[0].spec.params[0].bounds.max_length, Some(20));
    assert_eq!(above("a".into()).unwrap().len() + usize::from(between(1).unwrap()), 2);
    #[expect(deprecated)]
    older().unwrap();
    let _ = below;
}
