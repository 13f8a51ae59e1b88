use toolgate::{ToolError, tool};

struct Db;

/// Acts.
#[tool(risk = "read")]
fn act(#[state(shared)] db: &Db) -> Result<(), ToolError> {
    let _ = db;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 7 #[state(shared)]
