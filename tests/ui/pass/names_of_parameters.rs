//! Parameters with the names that an expansion might use itself, and one like the tool.

#![deny(warnings)]

use toolgate::{Context, ToolError, tool};

struct Pool;

/// Takes everything.
#[tool(risk = "read")]
async fn arguments(
    /// One.
    args: String,
    /// Two.
    arg0: u8,
    /// Three.
    arg1: u8,
    /// Four.
    context: String,
    ctx: &Context,
    /// Five.
    arguments: bool,
    #[state] pool: &Pool,
    /// Six.
    __toolgate: bool,
    /// Seven.
    node: Option<bool>,
    /// Eight.
    mut prepare: Vec<u8>,
) -> Result<(), ToolError> {
    prepare.push(arg0);
    let _ = (args, arg1, context, ctx, arguments, pool, __toolgate, node);
    Ok(())
}

/// Is called like what the expansion is made of.
#[tool(risk = "read")]
fn prepare() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    let tools = toolgate::toolset![arguments, prepare];
    assert_eq!(tools.entries.len(), 2);
    assert_eq!(tools.entries[0].states.len(), 1);
    assert_eq!(tools.entries[0].spec.params.len(), 8);
}
