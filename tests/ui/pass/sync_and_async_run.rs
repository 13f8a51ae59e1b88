//! The function stays a function: called directly, and through what the gate calls.

use toolgate::{ToolError, tool};

/// Adds.
#[tool(risk = "read")]
fn add(
    /// Left.
    left: u8,
    /// Right.
    right: u8,
) -> Result<u8, ToolError> {
    left.checked_add(right).ok_or_else(|| ToolError::no_effect("too large"))
}

fn main() {
    assert_eq!(add(1, 2).unwrap(), 3);
    let named: fn(u8, u8) -> Result<u8, ToolError> = add;
    assert!(named(200, 200).is_err());
}
