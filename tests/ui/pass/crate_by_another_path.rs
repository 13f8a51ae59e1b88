//! `crate =` names the facade by any path that means the same everywhere.

pub mod vendored {
    pub use ::toolgate::*;
}

use ::toolgate as gate;

/// A pair.
#[gate::tool_type(crate = crate::vendored)]
struct Pair {
    /// One.
    left: u8,
}

/// Looks.
#[gate::tool(risk = "read", crate = crate::vendored)]
fn look(
    /// What.
    pair: Pair,
) -> Result<u8, vendored::ToolError> {
    Ok(pair.left)
}

/// Looks again.
#[gate::tool(risk = "read", crate = ::toolgate)]
fn look_again() -> Result<(), vendored::ToolError> {
    Ok(())
}

gate::toolset! {
    crate = ::toolgate;
    static TOOLS = [look, look_again];
}

fn main() {
    assert_eq!(TOOLS.entries.len(), 2);
    assert_eq!(look(Pair { left: 1 }).unwrap(), 1);
}
