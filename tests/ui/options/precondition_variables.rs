use toolgate::{ToolError, tool};

/// Acts.
#[tool(
    risk = "write",
    idempotent,
    precondition(tool = "look", when = "resutl.open == true && prir.what == args.what", unbound = "a test"),
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

//~ 7 "resutl.open == true && prir.what == args.what"
//~ 7 "resutl.open == true && prir.what == args.what"
