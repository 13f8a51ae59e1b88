use toolgate::{ToolError, tool};

/// Sends.
#[tool(risk = "external", once, unconfirmed = "to ourselves")]
fn send(
    /// Why.
    #[arg(reason, destination)]
    why: String,
) -> Result<(), ToolError> {
    let _ = why;
    Ok(())
}

fn main() {
    drop(send);
}

//~ 7 reason
