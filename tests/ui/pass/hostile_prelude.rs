//! A module in which the usual names mean something else.

#![allow(dead_code, unused_macros, non_snake_case)]

mod core {}
mod std {}
mod serde {}
mod serde_json {}
mod schemars {}

type Result = ();
enum Option {}
struct String;
struct Vec;
struct Box;
struct Tool;
struct Args;
trait From {}
trait Into {}
fn Some() {}
fn Ok() {}
fn Err() {}
fn None() {}
macro_rules! concat { () => {} }
macro_rules! file { () => {} }
macro_rules! line { () => {} }
macro_rules! stringify { () => {} }
macro_rules! cfg { () => {} }

/// A pair.
#[toolgate::tool_type]
struct Pair {
    /// The left one.
    left: u8,
    /// The right one.
    right: ::core::option::Option<u8>,
}

/// One of two.
#[toolgate::tool_type]
enum Side {
    Left,
    /// The right.
    Right(u8),
}

/// Adds them.
#[toolgate::tool(risk = "write", once, key = ["pair"], title = "Add", impact = "none", alternatives = "none")]
async fn add(
    _ctx: &toolgate::Context,
    /// What to add.
    pair: Pair,
    /// On which side.
    side: ::core::option::Option<Side>,
) -> ::core::result::Result<Pair, toolgate::ToolError> {
    drop(side);
    ::core::result::Result::Ok(pair)
}

/// Subtracts them.
#[toolgate::tool(risk = "read", precondition(tool = add, unbound = "why not", max_age = "5m"))]
fn subtract() -> ::core::result::Result<(), toolgate::ToolError> {
    ::core::result::Result::Ok(())
}

toolgate::toolset! {
    static ALL = [add, #[cfg(all())] subtract];
}

fn main() {
    assert!(ALL.entries.len() == 2);
}
