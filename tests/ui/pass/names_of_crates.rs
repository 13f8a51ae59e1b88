//! A tool may have the name of a crate, and be deprecated.

use ::toolgate::{ToolError, tool, toolset};

mod inner {
    /// Looks.
    #[::toolgate::tool(risk = "read", failure_policy(fallback = super::core))]
    #[deprecated]
    pub fn look() -> Result<(), ::toolgate::ToolError> {
        Ok(())
    }
}

/// Looks again.
#[tool(risk = "read")]
fn core() -> Result<(), ToolError> {
    Ok(())
}

toolset! { static TOOLS = [inner::look, core]; }

fn main() {
    /// Looks.
    #[tool(risk = "read")]
    fn std() -> Result<(), ToolError> {
        Ok(())
    }

    assert_eq!(TOOLS.entries.len(), 2);
    assert_eq!(toolset![std, self::core].entries.len(), 2);
}
