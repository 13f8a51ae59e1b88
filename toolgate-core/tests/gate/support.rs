//! A gate on the memory store with tools declared at run time, and short ways to ask it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use toolgate_core::approval::{Decision, decide};
use toolgate_core::call::{Code, Stage, ToolCall, ToolResult};
use toolgate_core::clock::{Clock, SystemClock};
use toolgate_core::gate::{Gate, GateBuilder};
use toolgate_core::session::{Capabilities, Session, SessionOptions, Task};
use toolgate_core::spec::{DynamicTool, RegisteredTool, Risk};
use toolgate_core::store::{CallFilter, CallRecord, MemoryStore, Store};
use toolgate_core::tool::{Context, ToolError};

/// How often tools ran.
#[derive(Debug, Clone, Default)]
pub(crate) struct Runs(Arc<AtomicU32>);

impl Runs {
    pub(crate) fn count(&self) -> u32 {
        self.0.load(Ordering::SeqCst)
    }
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Watch(Arc<AtomicI64>);

impl Watch {
    pub(crate) fn forward(&self, time: Duration) {
        self.0.fetch_add(i64::try_from(time.as_millis()).unwrap(), Ordering::SeqCst);
    }
}

impl Clock for Watch {
    fn now_ms(&self) -> i64 {
        SystemClock.now_ms() + self.0.load(Ordering::SeqCst)
    }
}

pub(crate) struct Bench {
    pub(crate) gate: Gate,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) session: Session,
    pub(crate) task: Task,
    pub(crate) watch: Watch,
}

/// A schema of these required texts.
pub(crate) fn texts<const N: usize>(names: [&str; N]) -> Value {
    let fields: serde_json::Map<String, Value> =
        names.iter().map(|name| ((*name).to_owned(), json!({"type": "string"}))).collect();
    json!({"type": "object", "properties": fields, "required": names.to_vec()})
}

/// The tool with a body that counts, and gives back what the closure makes of the arguments.
pub(crate) fn body(
    tool: DynamicTool,
    runs: &Runs,
    answer: impl Fn(&Context, &Value) -> Result<Value, ToolError> + Send + Sync + 'static,
) -> RegisteredTool {
    let (runs, answer) = (runs.clone(), Arc::new(answer));
    let tool = tool.handler(move |context, arguments| {
        runs.0.fetch_add(1, Ordering::SeqCst);
        let answer = Arc::clone(&answer);
        async move { answer(&context, &arguments) }
    });
    tool.unwrap()
}

/// The tool with a body that gives its arguments back.
pub(crate) fn echo(tool: DynamicTool, runs: &Runs) -> RegisteredTool {
    body(tool, runs, |_, arguments| Ok(arguments.clone()))
}

pub(crate) fn may<'t>(tools: impl IntoIterator<Item = &'t str>) -> Capabilities {
    Capabilities::none().allow_tools(tools).allow_risks(Risk::ALL).permissions(["*"])
}

impl Bench {
    pub(crate) async fn new(tools: Vec<RegisteredTool>) -> Self {
        Self::with(tools, |builder| builder).await
    }

    pub(crate) async fn with(tools: Vec<RegisteredTool>, more: impl FnOnce(GateBuilder) -> GateBuilder) -> Self {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new().unwrap());
        let watch = Watch::default();
        let names: Vec<&str> = tools.iter().map(|tool| tool.spec.name).collect();
        let mut builder = more(Gate::builder(Arc::clone(&store)).clock(watch.clone()));
        for tool in tools {
            builder = builder.tool(tool);
        }
        let gate = builder.build().await.unwrap();
        let options = SessionOptions::new("agent").user("ann").capabilities(may(names)).id("S");
        let session = gate.session(options).unwrap();
        let task = session.task("demo", "T");
        Self { gate, store, session, task, watch }
    }

    pub(crate) async fn call(&self, tool: &str, arguments: &str) -> ToolResult {
        self.task.call(ToolCall::new(tool, arguments)).await
    }

    pub(crate) async fn record(&self, result: &ToolResult) -> CallRecord {
        self.store.call(&result.call_id).await.unwrap().unwrap().record
    }

    pub(crate) async fn calls(&self) -> Vec<CallRecord> {
        self.store.calls(&CallFilter::default()).await.unwrap()
    }

    pub(crate) async fn decide(&self, ticket: &str, approve: bool) {
        let decision = Decision { approve, by: "bob".to_owned(), comment: Some("fine".to_owned()) };
        let _ =
            decide(&*self.store, self.gate.redactor(), self.watch.now_ms(), ticket, &decision, "test").await.unwrap();
    }
}

#[track_caller]
pub(crate) fn must_be(result: &ToolResult, code: Code, stage: Stage, rule: &str) {
    assert_eq!((result.code, result.stage, result.rule()), (code, stage, Some(rule)), "{result:?}");
}
