use std::error::Error;

use toolgate::tool;

/// Acts.
#[tool(risk = "read")]
fn act() -> Result<(), Box<dyn Error>> {
    Ok(())
}

fn main() {
    drop(act);
}

//~ 7 Box<dyn Error>
