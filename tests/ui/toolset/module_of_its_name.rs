use toolgate::toolset;

mod look {
    use toolgate::{ToolError, tool};

    /// Looks.
    #[tool(risk = "read")]
    pub fn look() -> Result<(), ToolError> {
        Ok(())
    }
}

pub use look::look;

fn main() {
    drop(toolset![look::look]);
}

//~ 13 look::look
