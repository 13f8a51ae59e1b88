//! The tools of a `toolset!` checked on their own, without a gate: what its generated test calls. Not the
//! check itself, which is [`Toolset`]'s.

use super::tool_spec::StaticToolset;
use super::toolset::{Toolset, ToolsetFault};

impl StaticToolset {
    /// Whether a gate would take these tools: the check of declarations and of tools against each other that
    /// building a gate makes, without the gate.
    ///
    /// # Errors
    /// Every fault at once.
    pub fn check(&self) -> Result<(), ToolsetFault> {
        Toolset::new(self.entries.iter().copied(), []).map(|_| ())
    }
}

/// No tools.
#[doc(hidden)]
pub const EMPTY: StaticToolset = StaticToolset { entries: &[] };

/// The test that `toolset!` writes.
///
/// # Panics
/// With every fault, where there are any.
#[doc(hidden)]
#[track_caller]
#[expect(clippy::panic, reason = "a test fails by it")]
pub fn fits_together(set: &StaticToolset, name: &str) {
    if let Err(fault) = set.check() {
        panic!("a gate would refuse the tools of `{name}`:\n{fault}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_without_tools_is_taken() {
        fits_together(&EMPTY, "EMPTY");
    }
}
