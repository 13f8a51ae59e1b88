//! A module in which also the built-in types, the facade and its macros mean something else.

#![allow(dead_code, unused_macros, non_camel_case_types)]

mod toolgate {}
mod alloc {}
mod std {}
struct String;
struct str;
struct bool;
struct u8;
struct u64;
struct usize;
struct f64;
struct Risk;
struct Context;
struct ToolError;
struct ToolSpec;
trait Send {}
trait Sync {}
trait Fn {}
trait Default {}
macro_rules! panic { () => {} }
macro_rules! assert { () => {} }
macro_rules! vec { () => {} }
macro_rules! format { () => {} }
macro_rules! module_path { () => {} }
macro_rules! env { () => {} }
macro_rules! compile_error { () => {} }

/// Looks.
#[::toolgate::tool(
    risk = "write",
    idempotent,
    title = "Look",
    confirm = "Look at {what}?",
    permissions = ["look"],
    failure_policy = retry(max = 2, backoff = "1s"),
)]
async fn look(
    ctx: &::toolgate::Context,
    /// What.
    #[arg(range = 1..=5, default = 3)]
    what: ::core::primitive::u8,
    /// Whether.
    whether: ::core::primitive::bool,
) -> ::core::result::Result<::core::primitive::u8, ::toolgate::ToolError> {
    let _ = (ctx, whether);
    Ok(what)
}

/// A word.
#[::toolgate::tool_type(rename_all = "kebab-case")]
enum Word {
    Left,
    Right,
}

::toolgate::toolset! { static TOOLS = [look]; }

fn main() {
    let _ = (look, Word::Left, Word::Right);
    ::core::assert_eq!(TOOLS.entries.len(), 1);
}
