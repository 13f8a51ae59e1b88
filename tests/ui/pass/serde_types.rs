//! Types with serde and schemars derives, by the facade's re-exports: no other dependency.

use toolgate::{ToolError, schemars, serde, tool, tool_type, toolset};

#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(crate = "toolgate::serde")]
#[schemars(crate = "toolgate::schemars")]
struct Money {
    amount: u64,
    currency: String,
}

/// Mixed.
#[tool_type]
struct Order {
    /// What it costs.
    price: Money,
    /// A part.
    part: Option<Money>,
}

/// Pays.
#[tool(risk = "external", once, confirm = "Pay {money}?")]
async fn pay(
    /// How much.
    money: Money,
    /// A tip.
    tip: Option<Money>,
    /// More.
    more: Vec<Money>,
    /// What for.
    order: Order,
) -> Result<Vec<Money>, ToolError> {
    let _ = (tip, more, order.price.amount, order.part);
    Ok(vec![money])
}

fn main() {
    let params = toolset![pay].entries[0].spec.params;
    assert_eq!(params.iter().map(|param| param.required).collect::<Vec<_>>(), [true, false, true, true]);
}
