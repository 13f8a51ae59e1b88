use toolgate::{ToolError, tool};

/// Reads the mail.
#[tool(risk = "read", output = "tainted")]
fn read_mail() -> Result<String, ToolError> {
    Ok(String::new())
}

fn main() {
    drop(read_mail);
}

//~ 4 "tainted"
