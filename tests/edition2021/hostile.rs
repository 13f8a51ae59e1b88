//! A module in which the usual names mean something else, in the edition of 2021.
#![expect(dead_code, unused_macros, non_snake_case, reason = "they are in the way, and nothing else")]
#![expect(missing_debug_implementations, reason = "the usual derives and names mean nothing here")]

mod core {}
mod std {}
mod serde {}
mod serde_json {}

type Result = ();
enum Option {}
struct String;
struct Vec;
struct Box;
struct Tool;
trait From {}
trait Into {}
trait TryFrom {}
trait FromIterator {}
fn Some() {}
fn Ok() {}
fn Err() {}
fn None() {}
macro_rules! concat {
    () => {};
}
macro_rules! stringify {
    () => {};
}

/// A pair.
#[toolgate::tool_type]
pub struct Pair {
    /// The left one.
    pub left: u8,
    /// The right one.
    pub right: ::core::option::Option<u8>,
}

/// One of two.
#[toolgate::tool_type]
pub enum Side {
    /// The left.
    Left,
    /// The right.
    Right,
}

/// Adds them.
///
/// # Errors
/// Never.
#[toolgate::tool(risk = "write", once, key = ["pair"], title = "Add", impact = "none")]
pub async fn add(
    _ctx: &toolgate::Context,
    /// What to add.
    pair: Pair,
    /// On which side.
    side: ::core::option::Option<Side>,
) -> ::core::result::Result<Pair, toolgate::ToolError> {
    let _ = side;
    ::core::result::Result::Ok(pair)
}
