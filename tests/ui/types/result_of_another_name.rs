use toolgate::tool;

struct MyResult;

/// Acts.
#[tool(risk = "read")]
fn act() -> MyResult {
    MyResult
}

fn main() {
    drop(act);
}
