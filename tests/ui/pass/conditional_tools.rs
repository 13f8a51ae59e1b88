//! `#[cfg]` on tools and on entries of a toolset.

use toolgate::{ToolError, tool, toolset};

/// Is there.
#[tool(risk = "read")]
#[cfg(all())]
fn there() -> Result<(), ToolError> {
    Ok(())
}

/// Is not.
#[tool(risk = "read")]
#[cfg(any())]
fn gone() -> Result<(), ToolError> {
    Ok(())
}

/// Is not either.
#[cfg(any())]
#[tool(risk = "read")]
fn gone_too() -> Result<(), ToolError> {
    Ok(())
}

/// Is there as well.
#[tool(risk = "read", precondition(tool = there))]
fn there_too() -> Result<(), ToolError> {
    Ok(())
}

toolset! {
    static TOOLS = [
        #[cfg(any())]
        gone,
        there,
        #[cfg(any())]
        #[cfg(unix)]
        gone_too,
        #[cfg(all())]
        there_too,
    ];
}

fn main() {
    let names: Vec<_> = TOOLS.entries.iter().map(|entry| entry.spec.name).collect();
    assert_eq!(names, ["there", "there_too"]);
    assert!(toolset![].entries.is_empty());
}
