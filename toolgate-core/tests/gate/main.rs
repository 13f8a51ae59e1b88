//! The gate on the memory store, with tools declared at run time: one file for each stage. What needs
//! annotated functions, files or two stores is in the root package's `tests/gate`.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "in a test, a panic is the message")]

mod audit;
mod claim;
mod clip;
mod confirmation;
mod contract;
mod drive;
mod execute;
mod fallback;
mod panics;
mod parse;
mod policies;
mod policy;
mod precondition;
mod recall;
mod repair;
mod results;
mod support;
mod taint;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::json;
use toolgate_core::approval::{Decision, decide};
use toolgate_core::call::{Code, ToolCall};
use toolgate_core::gate::Gate;
use toolgate_core::session::{Capabilities, SessionOptions, Task};
use toolgate_core::spec::{DynamicTool, Repeat, Risk};
use toolgate_core::store::{MemoryStore, Store};
use toolgate_core::tool::Effect;

async fn gate() -> (Gate, Task, Arc<AtomicU32>) {
    let runs = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&runs);
    let look = DynamicTool::new(
        "look",
        "Looks.",
        json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}),
    )
    .reads()
    .handler(|_, arguments| async move { Ok(json!({"name": arguments["name"], "status": "unhealthy"})) })
    .unwrap();
    let restart = DynamicTool::new(
        "restart",
        "Restarts.",
        json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}),
    )
    .confirm("Restart {name}.")
    .risk(Risk::Dangerous, Repeat::Once)
    .precondition("look", Some("result.status == 'unhealthy' && prior.name == args.name"))
    .handler(move |_, _| {
        count.fetch_add(1, Ordering::Relaxed);
        async { Ok(json!("restarted")) }
    })
    .unwrap();
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new().unwrap());
    let gate = Gate::builder(store).tool(look).tool(restart).build().await.unwrap();
    let capabilities = Capabilities::none().allow_tools(["look", "restart"]).allow_risks(Risk::ALL).permissions(["*"]);
    let session = gate.session(SessionOptions::new("agent").capabilities(capabilities)).unwrap();
    let task = session.task("remediation", "T-1");
    (gate, task, runs)
}

#[tokio::test]
async fn a_restart_is_looked_at_confirmed_done_once_and_told() {
    let (gate, task, runs) = gate().await;
    let call = || ToolCall::new("restart", r#"{"name":"orders"}"#).in_operation("op-1");
    let refused = task.call(call()).await;
    assert_eq!(refused.code, Code::PreconditionFailed, "{refused:?}");
    let seen = task.call(ToolCall::new("look", r#"{"name":"orders"}"#)).await;
    assert_eq!(seen.code, Code::Ok, "{seen:?}");
    let waiting = task.call(call()).await;
    assert_eq!(waiting.code, Code::ConfirmationRequired, "{waiting:?}");
    let ticket = waiting.ticket().unwrap().to_owned();
    let yes = Decision { approve: true, by: "ann".into(), comment: None };
    let decided = decide(&**gate.store(), gate.redactor(), now(), &ticket, &yes, "test").await.unwrap();
    assert_eq!(decided.into_ticket().unwrap().decided_by.as_deref(), Some("ann"));
    let done = task.resume(&ticket).await;
    assert_eq!((done.code, done.effect), (Code::Ok, Effect::Done), "{done:?}");
    assert_eq!(done.call_id, waiting.call_id, "the approved call runs under its own id");
    let again = task.call(call()).await;
    assert_eq!(again.code, Code::IdempotentReplay, "{again:?}");
    assert_eq!(again.data, done.data);
    assert_eq!(runs.load(Ordering::Relaxed), 1);
}

fn now() -> i64 {
    use toolgate_core::clock::{Clock, SystemClock};
    SystemClock.now_ms()
}
