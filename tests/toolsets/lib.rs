//! Toolsets in a crate without a runtime and without serde: each brings a test of its own, wherever it stands
//! and whatever is in scope there. Not a crate to depend on.

use toolgate::{ToolError, tool, tool_type, toolset};

/// How a service is.
#[tool_type]
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Health {
    /// It answers.
    Healthy,
    /// It does not.
    Unhealthy,
}

/// What was found.
#[tool_type(result)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// How it is.
    pub status: Health,
}

/// Looks at one service.
///
/// # Errors
/// Never.
#[tool(risk = "read")]
pub fn look(
    /// The service.
    service: String,
) -> Result<Found, ToolError> {
    drop(service);
    Ok(Found { status: Health::Unhealthy })
}

/// Restarts one service.
///
/// # Errors
/// Never.
#[tool(
    risk = "write",
    idempotent,
    precondition(tool = look, when = "result.status == 'unhealthy' && prior.service == args.service")
)]
pub fn restart(
    /// The service.
    service: String,
) -> Result<(), ToolError> {
    drop(service);
    Ok(())
}

toolset! {
    /// All tools.
    pub static OPS = [look, restart];
}

/// A module in which `test` and the names of the prelude mean something else.
pub mod shadowed {
    use super::{look, restart};
    use toolgate::toolset;

    pub use core as test;

    /// Not the one of the prelude.
    #[derive(Debug)]
    pub struct Option;

    toolset! { pub(crate) static LOOP = [look, restart]; }

    /// How many there are.
    pub fn count() -> usize {
        LOOP.entries.len()
    }
}

/// A toolset inside of a function.
pub fn inside() -> usize {
    toolset! { static INSIDE = [look]; }
    INSIDE.entries.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_they_list() {
        assert_eq!((OPS.entries.len(), shadowed::count(), inside()), (2, 2, 1));
    }

    #[test]
    fn a_set_is_checked_without_a_gate() {
        assert_eq!(OPS.check(), Ok(()));
        let alone = toolset![look];
        assert_eq!(alone.check(), Ok(()));
    }
}
