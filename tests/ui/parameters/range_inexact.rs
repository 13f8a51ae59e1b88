use toolgate::{ToolError, tool};

type Count = u64;

/// Acts.
#[tool(risk = "read")]
fn act(
    /// How many.
    #[arg(range = ..=9_007_199_254_740_993)]
    count: Count,
) -> Result<(), ToolError> {
    let _ = count;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 9 ..=9_007_199_254_740_993
