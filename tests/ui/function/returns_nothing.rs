use toolgate::tool;

/// Acts.
#[tool(risk = "read")]
fn act() {
    ()
}

fn main() {
    drop(act);
}

//~ 5 act
