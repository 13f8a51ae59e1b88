//! One process of many: calls its operations through a gate until each has an answer that stands.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Mutex;
use tokio::task::JoinSet;
use toolgate_core::call::{Code, ToolCall, ToolResult};
use toolgate_core::gate::{Gate, GateBuilder};
use toolgate_core::session::{Capabilities, Session, SessionOptions};
use toolgate_core::spec::{DynamicTool, RegisteredTool, Repeat, Risk};
use toolgate_core::tool::{Context, ToolError};

use crate::chance::Chance;
use crate::plan::{Error, Plan, is_once};

/// Shorter than many a pause.
const LEASE: Duration = Duration::from_secs(1);
/// Calls at once in one process.
const AT_ONCE: usize = 8;
/// How often an operation is asked for before a worker leaves it to the others.
const TRIES: u32 = 100;
/// The same on a store that breaks its promises, where some never get an answer.
const TRIES_ON_BROKEN: u32 = 2;

pub(crate) const ONCE: &str = "once";
pub(crate) const IDEMPOTENT: &str = "idempotent";

pub(crate) async fn work(plan: &Plan, number: usize) -> Result<(), Error> {
    let gate = gate(plan).await?;
    let may = Capabilities::none().allow_tools([ONCE, IDEMPOTENT]).allow_risks(Risk::ALL).permissions(["*"]);
    let session = gate.session(SessionOptions::new("agent").capabilities(may).id("history"))?;
    let mut operations = plan.operations(number)?;
    operations.reverse();
    let queue = Arc::new(Mutex::new(operations));
    let mut callers = JoinSet::new();
    for _ in 0..AT_ONCE {
        let (plan, gate, session, queue) = (plan.clone(), gate.clone(), session.clone(), Arc::clone(&queue));
        callers.spawn(async move {
            while let Some(operation) = { queue.lock().await.pop() } {
                settle(&plan, &gate, &session, number, operation).await?;
            }
            Ok::<(), Error>(())
        });
    }
    while let Some(ended) = callers.join_next().await {
        ended??;
    }
    gate.drain(Duration::from_secs(30)).await;
    Ok(())
}

pub(crate) async fn gate(plan: &Plan) -> Result<Gate, Error> {
    let tools = [tool(plan, ONCE, Repeat::Once)?, tool(plan, IDEMPOTENT, Repeat::Idempotent)?];
    let builder = tools.into_iter().fold(Gate::builder(plan.open()?).lease(LEASE), GateBuilder::tool);
    Ok(builder.build().await?)
}

fn tool(plan: &Plan, name: &str, repeat: Repeat) -> Result<RegisteredTool, Error> {
    let schema = json!({"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]});
    let plan = plan.clone();
    let tool = DynamicTool::new(name, "Has an effect.", schema).writes(repeat).timeout(Duration::from_secs(20));
    Ok(tool.handler(move |context, arguments| act(plan.clone(), context, arguments))?)
}

/// Has the effect, or says that it hasn't, or fails after it without a word about it.
async fn act(plan: Plan, context: Context, arguments: Value) -> Result<Value, ToolError> {
    let number = arguments.get("number").unwrap_or(&Value::Null).to_string();
    let mut chance = Chance::new(
        context.call_id().bytes().fold(plan.seed, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte))),
    );
    tokio::time::sleep(Duration::from_millis(chance.below(4))).await;
    if chance.one_in(8) {
        return Err(ToolError::no_effect("not this time"));
    }
    let key = context.idempotency_key().unwrap_or_default();
    plan.effects().write(&[&number, key, context.call_id()])?;
    tokio::time::sleep(Duration::from_millis(chance.below(4))).await;
    if chance.one_in(16) {
        return Err(std::io::Error::other("broke off").into());
    }
    Ok(json!({ "did": number }))
}

/// Asks until there is an answer that stands.
async fn settle(plan: &Plan, gate: &Gate, session: &Session, worker: usize, operation: u64) -> Result<(), Error> {
    let name = operation.to_string();
    for number in 0..if plan.broken.is_some() { TRIES_ON_BROKEN } else { TRIES } {
        // What failed closes its tool for its task.
        let task = session.task("history", format!("{name}-{worker}-{}-{number}", std::process::id()));
        let tool = if is_once(operation) { ONCE } else { IDEMPOTENT };
        let call = ToolCall::new(tool, json!({"number": operation}).to_string()).in_operation(&name);
        let answer = task.call(call).await;
        tell(plan, &name, &answer)?;
        if stands(gate, &answer).await {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5 + u64::from(number))).await;
    }
    Ok(plan.over(worker).write(&[&name])?)
}

fn tell(plan: &Plan, name: &str, answer: &ToolResult) -> Result<(), Error> {
    let words = [name, &answer.call_id, answer.code.as_str(), answer.effect.as_str()];
    Ok(plan.answers().write(&words)?)
}

async fn stands(gate: &Gate, answer: &ToolResult) -> bool {
    if gate.is_sealed() {
        // As an operator would, who sees that the store is well again.
        let _ = gate.unseal().await;
    }
    // Where it ran and failed: asked again, it says what that means.
    matches!(answer.code, Code::Ok | Code::IdempotentReplay | Code::OutcomeUnknown)
}
