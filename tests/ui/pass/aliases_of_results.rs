//! A name for a `Result` is a `Result`, whatever it is called.

use toolgate::{ToolError, tool, toolset};

type Answer<T> = Result<T, ToolError>;
type Done = Answer<()>;

mod own {
    pub type Result<T, E = toolgate::ToolError> = std::result::Result<T, E>;
}

/// Answers.
#[tool(risk = "read")]
async fn answer() -> Answer<u8> {
    Ok(1)
}

/// Does.
#[tool(risk = "write", idempotent)]
fn done() -> Done {
    Ok(())
}

/// Says.
#[tool(risk = "read")]
fn said() -> own::Result<String> {
    Ok(String::new())
}

/// Says, or an error of its own.
#[tool(risk = "read")]
fn said_else() -> own::Result<String, std::num::ParseIntError> {
    Ok(String::new())
}

mod text {
    use super::*;

    /// A tool that is listed where a module has its name: by its path, or by another name.
    #[tool(risk = "read")]
    pub fn text() -> Done {
        Ok(())
    }
}

use text::text as text_tool;

toolset! { static TOOLS = [answer, done, said, said_else, text::text]; }

fn main() {
    assert_eq!(TOOLS.entries.len(), 5);
    assert_eq!(toolset![text_tool].entries.len(), 1);
}
