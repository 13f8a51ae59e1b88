use toolgate::{ToolError, tool};

/// Builds the index anew.
#[tool(risk = "write", idempotent, background)]
async fn reindex() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    drop(reindex);
}

//~ 4 background
