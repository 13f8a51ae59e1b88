//! A tool may return an error of its own, and an alias.

use toolgate::{ToolError, tool};

type Result<T, E = ToolError> = std::result::Result<T, E>;

#[derive(Debug)]
struct Broken;

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("broken")
    }
}

impl std::error::Error for Broken {}

/// Breaks.
#[tool(risk = "read")]
fn breaks() -> Result<(), Broken> {
    Err(Broken)
}

/// Reads.
#[tool(risk = "read")]
async fn reads() -> std::io::Result<String> {
    Ok(String::new())
}

/// Says.
#[tool(risk = "read")]
fn says() -> Result<&'static str> {
    Ok("it")
}

fn main() {
    assert_eq!(toolgate::toolset![breaks, reads, says].entries.len(), 3);
}
