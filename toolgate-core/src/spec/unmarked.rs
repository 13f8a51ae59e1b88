//! What stands in for a tool where a path names a function that carries no `#[tool]`, so that the compiler
//! says so in our words. Not the check of what is no function at all: that is the bound on [`Tool`].

use super::set::{Verdict, marked};
use super::tool_spec::{BROKEN, Head, Tool, ToolEntry};

/// The type that an expansion finds where it imports a path as `__ToolgateEntry`, then all of this module:
/// a tool brings a type of its own, which comes before this one; a plain function brings none.
#[doc(hidden)]
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "it has no values")]
pub enum __ToolgateEntry {}

impl Tool for __ToolgateEntry {
    const HEAD: Head = Head { name: "", params: &[] };
    const ID: u64 = UNMARKED;
    const ENTRY: ToolEntry = BROKEN;
}

/// The identity of what is no tool; no name has it.
pub(super) const UNMARKED: u64 = 0;

/// What a name means, as a type and as a value, where the module around a toolset doesn't hold it. Known by its
/// size, so that no bound can fail.
#[derive(Debug, Clone, Copy)]
pub struct Elsewhere {
    #[expect(dead_code, reason = "only its size is looked at")]
    size: [u8; SIZE],
}

/// The value of that name: one import brings both.
#[expect(non_upper_case_globals, reason = "it goes by the name of the type")]
pub const Elsewhere: Elsewhere = Elsewhere { size: [0; SIZE] };

const SIZE: usize = 251;

/// A name that is a function in the module around a toolset, and no type there, is told as no tool.
pub const fn verdict<Type, Value>(_: &Value, name: &str) -> Verdict {
    marked(size_of::<Type>() != SIZE || size_of::<Value>() != 0, name)
}
