//! Tools whose arguments are the fields of one struct: flat in the schema, in texts, in the key and on the way
//! into the function. Not what the compiler refuses of them.

use std::sync::Arc;

use toolgate::serde_json::{self, Value, json};
use toolgate::{
    Capabilities, Code, Context, Gate, MemoryStore, Risk, SessionOptions, StaticToolset, Task, ToolCall, ToolError,
    schemars, serde, tool, tool_type, toolset,
};

use crate::Environment;

/// Not a doc that the model reads.
#[tool_type(argument)]
#[derive(Debug)]
struct Restart {
    /// The service.
    #[arg(pattern = "^[a-z]+$", max_length = 40)]
    service: String,
    /// Where it runs.
    environment: Environment,
    /// Seconds to wait.
    #[arg(range = 1..=60, default = 30, rename = "wait_seconds")]
    wait: u32,
    /// Labels.
    labels: Option<Vec<String>>,
    /// Opens the door.
    #[arg(sensitive)]
    pin: Option<String>,
    /// Why.
    #[arg(reason, max_length = 200)]
    why: String,
}

#[derive(Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(crate = "toolgate::serde")]
#[schemars(crate = "toolgate::schemars")]
struct Query {
    /// The service.
    service: String,
    /// At most so many.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u8>,
}

/// Restarts one service.
#[tool(
    risk = "write",
    idempotent,
    confirm = "Restart {service} in {environment}, wait {wait_seconds} s.",
    key = ["service", "environment"],
    precondition(tool = look, when = "prior.service == args.service && result.open"),
)]
async fn restart(context: &Context, #[args] input: Restart) -> Result<String, ToolError> {
    let Restart { service, environment, wait, labels, pin, why } = input;
    Ok(format!("{} {service} {environment:?} {wait} {labels:?} {pin:?} {why}", context.task()))
}

/// What is there.
#[tool_type(result)]
struct Found {
    open: bool,
    service: String,
    limit: Option<u8>,
}

/// Looks.
#[tool(risk = "read")]
fn look(#[args] query: Query) -> Result<Found, ToolError> {
    Ok(Found { open: true, service: query.service, limit: query.limit })
}

async fn gate(tools: StaticToolset) -> (Gate, Task) {
    let store = Arc::new(MemoryStore::new().unwrap());
    let gate = Gate::builder(store).tools(tools).build().await.unwrap();
    let may = Capabilities::none()
        .allow_tools(["look", "restart"])
        .allow_risks([Risk::Read, Risk::Write])
        .permissions(["tool:*"]);
    let task = gate.session(SessionOptions::new("agent").capabilities(may)).unwrap().task("inspection", "T-1");
    (gate, task)
}

fn schema(task: &Task, name: &str) -> Value {
    let tools = task.tools();
    let tool = tools.iter().find(|tool| tool.spec.name == name).unwrap();
    serde_json::from_str(&tool.schema).unwrap()
}

#[tokio::test]
async fn fields_are_the_arguments_in_the_schema() {
    let (_gate, task) = gate(toolset![look, restart]).await;
    let restart = schema(&task, "restart");
    let names: Vec<&String> = restart["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names.len(), 6, "{restart}");
    assert_eq!(restart["properties"]["service"]["description"], "The service.");
    assert_eq!(restart["properties"]["wait_seconds"]["default"], 30);
    assert_eq!(restart["properties"]["pin"]["writeOnly"], true);
    assert_eq!(restart["required"], json!(["service", "environment", "why"]));
    let look = schema(&task, "look");
    assert_eq!(look["properties"]["limit"]["maximum"], 50, "{look}");
    assert_eq!(look["required"], json!(["service"]));
}

#[tokio::test]
async fn each_problem_stands_at_its_field() {
    let (_gate, task) = gate(toolset![look, restart]).await;
    let call = ToolCall::new("restart", r#"{"servce": "orders", "environment": "production", "why": "x"}"#);
    let answer = task.call(call).await;
    assert_eq!(answer.code, Code::InvalidArgument);
    let text = answer.to_json().to_string();
    for pointer in ["/service", "/servce", "/environment"] {
        assert!(text.contains(&format!("\"{pointer}\"")), "{pointer}: {text}");
    }
    let answer = task.call(ToolCall::new("look", r#"{"service": "orders", "limit": 51}"#)).await;
    assert_eq!(answer.code, Code::InvalidArgument);
}

#[tokio::test]
async fn the_confirmation_the_precondition_and_the_function_see_the_fields() {
    let (gate, task) = gate(toolset![look, restart]).await;
    let arguments = r#"{"service": "orders", "environment": "prod", "why": "it hangs", "pin": "4711"}"#;
    let early = task.call(ToolCall::new("restart", arguments)).await;
    assert_eq!(early.code, Code::PreconditionFailed);
    let looked = task.call(ToolCall::new("look", r#"{"service": "orders"}"#)).await;
    assert_eq!(looked.code, Code::Ok);
    let asked = task.call(ToolCall::new("restart", arguments)).await;
    assert_eq!(asked.code, Code::ConfirmationRequired);
    let view = gate.store().ticket(asked.ticket().unwrap()).await.unwrap().unwrap().view;
    assert_eq!(view.what, "Restart orders in prod, wait 30 s.");
    assert_eq!(view.why.as_deref(), Some("it hangs"));
    assert!(!view.arguments.concat().contains("4711"), "{:?}", view.arguments);
}

#[test]
fn values_reach_the_function() {
    let entries = toolset![look, restart].entries;
    let arguments = r#"{"service": "orders", "environment": "prod", "wait_seconds": 5, "why": "it hangs"}"#;
    let output = crate::call(&entries[1], arguments).unwrap().unwrap();
    assert_eq!(output.value, "task orders Production 5 None None it hangs");
    let output = crate::call(&entries[0], r#"{"service": "orders", "limit": 3}"#).unwrap().unwrap();
    assert_eq!(output.value, json!({"open": true, "service": "orders", "limit": 3}));
    assert_eq!(crate::call(&entries[1], r#"{"service": 1, "environment": "x"}"#).unwrap_err().len(), 4);
}

/// The faults of a set, as a gate tells them.
async fn faults(tools: StaticToolset) -> String {
    let store = Arc::new(MemoryStore::new().unwrap());
    Gate::builder(store).tools(tools).build().await.unwrap_err().to_string()
}

#[derive(Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(crate = "toolgate::serde")]
#[schemars(crate = "toolgate::schemars")]
enum Word {
    One,
    Two,
}

/// Takes what is no object.
#[tool(risk = "read")]
fn say(#[args] word: Word) -> Result<String, ToolError> {
    Ok(format!("{word:?}"))
}

/// Names what serde alone knows.
#[tool(
    risk = "write",
    once,
    confirm = "Change {servce}.",
    key = ["service"],
    failure_policy = "abort"
)]
fn misspelt(#[args] query: Query) -> Result<(), ToolError> {
    drop(query);
    Ok(())
}

/// Names another key.
#[tool(risk = "write", once, key = ["servce"], failure_policy(fallback = other))]
fn keyed(#[args] query: Query) -> Result<(), ToolError> {
    drop(query);
    Ok(())
}

/// Binds nothing.
#[tool(risk = "write", idempotent, precondition(tool = look), failure_policy(fallback = other))]
fn unbound(#[args] query: Query) -> Result<(), ToolError> {
    drop(query);
    Ok(())
}

/// Stands in.
#[tool(risk = "write", idempotent)]
fn other(
    /// The service.
    service: String,
) -> Result<(), ToolError> {
    drop(service);
    Ok(())
}

/// A reason inside of an argument.
#[tool(risk = "write", idempotent)]
fn inside(
    /// What.
    restart: Restart,
) -> Result<(), ToolError> {
    drop(restart);
    Ok(())
}

#[tokio::test]
async fn what_only_serde_knows_is_checked_when_the_gate_is_built() {
    let text = faults(toolset![say]).await;
    assert!(text.contains("no object with named fields") && text.contains("spec.args"), "{text}");
    let text = faults(toolset![misspelt]).await;
    assert!(text.contains("`{servce}` is no parameter"), "{text}");
    let text = faults(toolset![keyed, other]).await;
    assert!(text.contains("`servce` is no parameter"), "{text}");
    let text = faults(toolset![look, unbound, other]).await;
    for fault in ["does not bind `service`", "does not bind `limit`", "only one of them has a parameter `limit`"] {
        assert!(text.contains(fault), "{fault}: {text}");
    }
    let text = faults(toolset![inside]).await;
    assert!(
        text.contains("the reason of a call stands among its arguments") && text.contains("/restart/why"),
        "{text}"
    );
}
