//! Doc comments count above and below `#[tool]`, before and after other attributes, and as other forms.

#![deny(warnings)]

use toolgate::{ToolError, tool, toolset};

/// First line.
#[allow(clippy::unnecessary_wraps)]
/// Second line.
#[tool(risk = "read")]
#[inline]
/// Third line.
#[must_use]
fn above_and_below(
    #[arg(max_length = 5)]
    /// After the options.
    #[allow(unused_variables)]
    after: String,
    #[doc = "As an attribute."]
    #[arg(range = 0.0..=1.0)]
    attribute: f64,
    /** A block. */
    block: bool,
) -> Result<(), ToolError> {
    let _ = (attribute, block);
    Ok(())
}

#[doc = concat!("Put ", "together.")]
#[tool(risk = "read")]
#[deprecated]
fn together() -> Result<(), ToolError> {
    Ok(())
}

#[allow(deprecated)]
fn main() {
    let entries = toolset![above_and_below, together].entries;
    assert_eq!(entries[0].spec.doc, "First line.\nSecond line.\nThird line.");
    assert_eq!(entries[0].spec.params[0].doc, "After the options.");
    assert_eq!(entries[0].spec.params[2].doc, "A block.");
    assert_eq!(entries[1].spec.doc.trim(), "Put together.");
    let _ = together();
}
