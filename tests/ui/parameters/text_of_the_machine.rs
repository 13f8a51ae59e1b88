use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act(
    /// What.
    what: Option<std::ffi::OsString>,
) -> Result<(), ToolError> {
    let _ = what;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 7 Option<std::ffi::OsString>
