use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act(
    #[state]
    pool: u8,
) -> Result<(), ToolError> {
    let _ = pool;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 7 u8
