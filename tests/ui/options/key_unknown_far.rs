use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "write", once, key = ["customer"])]
fn act(
    /// What.
    order_id: u64,
) -> Result<(), ToolError> {
    let _ = order_id;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 4 "customer"
