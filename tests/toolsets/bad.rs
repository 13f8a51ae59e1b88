//! A set whose preconditions ask for what isn't there: what `toolset!` can't see, its test does. Run by
//! `written`, and not on its own: it fails.

use toolgate::{ToolError, tool, toolset};
use toolgate_toolsets_test::look;

/// Asks for a field that the result doesn't have.
#[tool(
    risk = "write",
    idempotent,
    precondition(tool = look, when = "result.stauts == 'unhealthy' && prior.service == args.service")
)]
fn by_field(
    /// The service.
    service: String,
) -> Result<(), ToolError> {
    drop(service);
    Ok(())
}

/// Asks for a word that the field never is.
#[tool(
    risk = "write",
    idempotent,
    precondition(tool = look, when = "result.status == 'unhelthy' && prior.service == args.service")
)]
fn by_word(
    /// The service.
    service: String,
) -> Result<(), ToolError> {
    drop(service);
    Ok(())
}

toolset! { static BAD = [look, by_field, by_word]; }

toolset! { static GOOD = [look]; }

#[test]
fn both_hold_tools() {
    assert_eq!((BAD.entries.len(), GOOD.entries.len()), (3, 1));
}
