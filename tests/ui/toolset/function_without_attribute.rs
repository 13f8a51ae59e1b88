use toolgate::{ToolError, tool, toolset};

/// Looks.
#[tool(risk = "read", precondition(tool = inner::plain))]
fn look() -> Result<(), ToolError> {
    Ok(())
}

fn plain() {}

mod inner {
    pub fn plain() {}
}

toolset! { static TOOLS = [look, plain, inner::plain]; }

fn main() {
    drop(TOOLS);
}

//~ 15 plain
//~ 4 inner
//~ 15 plain
