use toolgate::tool;

type FetchResult = String;

/// Acts.
#[tool(risk = "read")]
async fn act() -> FetchResult {
    String::new()
}

fn main() {
    drop(act());
}

//~ 7 FetchResult
