use toolgate::{ToolError, tool};

struct Agent;

impl Agent {
    /// Acts.
    #[tool(risk = "read")]
    fn act(&self) -> Result<(), ToolError> {
        Ok(())
    }
}

fn main() {}

//~ 8 self
