//! What a user has beside a tool may have the names that other macros would take for themselves.

#![deny(warnings)]

use toolgate::{ToolError, tool, toolset};

/// Of the user's.
struct Add;
/// Of the user's, too.
struct AddParameters;
struct AddArgs;
static ADD: u8 = 1;
fn add_tool_attr() -> u8 {
    2
}
mod add_tool {}

/// Adds.
#[tool(risk = "read")]
fn add(
    /// Left.
    left: u8,
    /// Right.
    right: u8,
) -> Result<u8, ToolError> {
    let _ = (Add, AddParameters, AddArgs);
    left.checked_add(right).ok_or_else(|| ToolError::no_effect("too large"))
}

fn main() {
    #[expect(unused_imports)]
    use add_tool as _;
    assert_eq!(add(ADD, add_tool_attr()).unwrap(), 3);
    assert_eq!(toolset![add].entries.len(), 1);
}
