use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act() -> impl Future<Output = Result<(), ToolError>> {
    async { Ok(()) }
}

fn main() {
    drop(act());
}

//~ 5 impl Future<Output = Result<(), ToolError>>
