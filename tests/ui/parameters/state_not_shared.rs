use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act(
    #[state]
    pool: &std::cell::Cell<u8>,
) -> Result<(), ToolError> {
    let _ = pool;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 7 std::cell::Cell<u8>
