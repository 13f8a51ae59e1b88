use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
fn act<T>(
    /// What.
    what: T,
) -> Result<(), ToolError>
where
    T: Into<String>,
{
    drop(what.into());
    Ok(())
}

fn main() {
    drop(act::<String>);
}

//~ 5 T
