use toolgate::{ToolError, tool};

struct Db;

/// Acts.
#[tool(risk = "read")]
fn act(db: &Db) -> Result<(), ToolError> {
    let _ = db;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 7 &Db
