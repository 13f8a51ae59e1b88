use toolgate::{ToolError, tool};

/// Acts.
#[tool(
    risk = "write",
    idempotent,
    precondition(tool = "look", when = "prior.a == args.waht && prior.b == args.where", unbound = "a test"),
)]
fn act(
    /// What.
    what: String,
) -> Result<(), ToolError> {
    drop(what);
    Ok(())
}

fn main() {
    drop(act);
}

//~ 7 "prior.a == args.waht && prior.b == args.where"
//~ 7 "prior.a == args.waht && prior.b == args.where"
