use toolgate::{ToolError, toolset};

fn main() {
    fn plain() -> Result<(), ToolError> {
        Ok(())
    }
    drop(toolset![plain]);
}

//~ 7 plain
