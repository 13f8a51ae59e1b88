//! An airline's desk whose tools are another system's, declared at run time: what may be changed depends on
//! what was read first. `cargo run --example airline_desk`; the rules are in `rules.rs`.

mod rules;

use std::error::Error;
use std::sync::Arc;

use rules::Desk;
use toolgate::approval::{Decision, decide};
use toolgate::clock::{Clock, SystemClock};
use toolgate::serde_json::{self, Value, json};
use toolgate::store::Decided;
use toolgate::{Capabilities, DynamicTool, Gate, MemoryStore, Risk, SessionOptions, Task, ToolCall, ToolResult};

/// The booking system's tools: a name, what it does, and its arguments.
const TOOLS: [(&str, &str, &[&str]); 8] = [
    ("get_reservation_details", "Get the details of a reservation.", &["reservation_id"]),
    ("get_user_details", "Get the details of a customer.", &["user_id"]),
    (
        "book_reservation",
        "Book a reservation.",
        &["user_id", "origin", "destination", "flights", "passengers", "payment_methods"],
    ),
    ("cancel_reservation", "Cancel the whole reservation.", &["reservation_id"]),
    ("update_reservation_flights", "Change the flights.", &["reservation_id", "cabin", "flights", "payment_id"]),
    (
        "update_reservation_baggages",
        "Change the bags.",
        &["reservation_id", "total_baggages", "nonfree_baggages", "payment_id"],
    ),
    ("update_reservation_passengers", "Change the passengers.", &["reservation_id", "passengers"]),
    ("send_certificate", "Send a certificate to a customer.", &["user_id", "amount"]),
];

/// The schema of one argument.
fn argument(name: &str) -> Value {
    let object = |names: &[&str]| {
        let properties: serde_json::Map<String, Value> =
            names.iter().map(|name| ((*name).to_owned(), argument(name))).collect();
        json!({"type": "object", "properties": properties, "required": names})
    };
    match name {
        "flights" => json!({"type": "array", "items": object(&["flight_number", "date"])}),
        "passengers" => json!({"type": "array", "items": object(&["first_name", "last_name"])}),
        "payment_methods" => json!({"type": "array", "items": object(&["payment_id", "amount"])}),
        "amount" => json!({"type": "number"}),
        "total_baggages" | "nonfree_baggages" => json!({"type": "integer"}),
        _ => json!({"type": "string", "description": format!("The {}.", name.replace('_', " "))}),
    }
}

/// What the booking system answers.
fn answer(tool: &str, arguments: &Value) -> Value {
    let reservation = arguments["reservation_id"].as_str().unwrap_or_default();
    match (tool, reservation) {
        ("get_reservation_details", "FLOWN1") => details("FLOWN1", "2024-05-10", "yes"),
        ("get_reservation_details", _) => details(reservation, "2024-05-27", "yes"),
        (_, _) => json!({"reservation_id": reservation, "status": "cancelled"}),
    }
}

fn details(id: &str, date: &str, insurance: &str) -> Value {
    json!({
        "reservation_id": id,
        "cabin": "economy",
        "insurance": insurance,
        "created_at": "2024-05-01T09:08:54",
        "flights": [{"flight_number": "HAT017", "date": date}],
        "passengers": [{"first_name": "Ann", "last_name": "Lee"}],
    })
}

fn print(what: &str, result: &ToolResult) {
    println!("{what}\n    {} {}: {}", result.code, result.rule().unwrap_or("-"), result.message);
}

async fn call(task: &Task, tool: &str, reservation: &str) -> ToolResult {
    task.call(ToolCall::new(tool, json!({"reservation_id": reservation}).to_string())).await
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let desk = Desk { today: "2024-05-15", a_day_ago: "2024-05-14T15:00:00" };
    let store = Arc::new(MemoryStore::new()?);
    let mut builder = Gate::builder(store.clone()).policy(rules::policy());
    for (name, description, arguments) in TOOLS {
        let properties: serde_json::Map<String, Value> =
            arguments.iter().map(|name| ((*name).to_owned(), argument(name))).collect();
        let schema = json!({"type": "object", "properties": properties, "required": arguments});
        let tool = desk.guard(DynamicTool::new(name, description, schema), name);
        builder = builder.tool(tool.handler(move |_, arguments| async move { Ok(answer(name, &arguments)) })?);
    }
    let gate = builder.build().await?;
    let may = Capabilities::none()
        .allow_tools(TOOLS.map(|(name, ..)| name))
        .allow_risks([Risk::Read, Risk::Write, Risk::External])
        .permissions(["*"]);
    let task = gate.session(SessionOptions::new("desk-agent").user("ann").capabilities(may))?.task("change", "T-1");

    print("cancelled without a look", &call(&task, "cancel_reservation", "ZFA04Y").await);
    let _ = call(&task, "get_reservation_details", "FLOWN1").await;
    print("cancelled after it was flown", &call(&task, "cancel_reservation", "FLOWN1").await);
    let _ = call(&task, "get_reservation_details", "ZFA04Y").await;
    let asked = call(&task, "cancel_reservation", "ZFA04Y").await;
    print("cancelled as the rules have it", &asked);

    let ticket = asked.ticket().ok_or("a ticket")?.to_owned();
    let yes = Decision { approve: true, by: "ann".to_owned(), comment: None };
    let decided = decide(&*store, gate.redactor(), SystemClock.now_ms(), &ticket, &yes, "example").await?;
    assert!(matches!(decided, Decided::Now(_)), "it counts: {decided:?}");
    print("after a person's yes", &task.resume(&ticket).await);
    Ok(())
}
