use toolgate::{ToolError, serde, tool};

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(crate = "toolgate::serde")]
struct Money {
    amount: u64,
}

/// Acts.
#[tool(risk = "read")]
fn act(
    /// How much.
    money: Money,
) -> Result<(), ToolError> {
    let _ = money.amount;
    Ok(())
}

fn main() {
    drop(act);
}

//~ 13 Money
