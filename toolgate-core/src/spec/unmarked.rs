//! What stands in for a tool where a path names a function that carries no `#[tool]`, so that the compiler
//! says so in our words. Not the check of what is no function at all: that is the bound on [`Tool`].

use super::facts::Risk;
use super::set::{Verdict, marked};
use super::tool_spec::{BROKEN, Need, Tool, ToolEntry};

/// The type that an expansion finds where it imports a path as `__ToolgateEntry`, then all of this module:
/// a tool brings a type of its own, which comes before this one; a plain function brings none.
#[doc(hidden)]
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "it has no values")]
pub enum __ToolgateEntry {}

impl Tool for __ToolgateEntry {
    const NAME: &'static str = "";
    const ID: u64 = UNMARKED;
    const RISK: Risk = Risk::Read;
    const NEEDS: &'static [Need] = &[];
    const FALLBACK: Option<&'static str> = None;
    const PARAMS: &'static [&'static str] = &[];
    const SOURCE: &'static str = "";
    const ENTRY: ToolEntry = BROKEN;
}

/// The identity of what is no tool; no name has it.
pub(super) const UNMARKED: u64 = 0;

/// What a name means, as a type and as a value, where the module around a toolset doesn't hold it. Known by its
/// size, so that no bound can fail.
#[derive(Debug)]
pub struct Elsewhere(#[expect(dead_code, reason = "only its size is looked at")] [u8; SIZE]);

/// The value of that type.
pub const ELSEWHERE: Elsewhere = Elsewhere([0; SIZE]);

const SIZE: usize = 251;

/// A name that is a function in the module around a toolset, and no type there, is told as no tool.
pub const fn verdict<Type, Value>(_: &Value, name: &str) -> Verdict {
    marked(size_of::<Type>() != SIZE || size_of::<Value>() != 0, name)
}
