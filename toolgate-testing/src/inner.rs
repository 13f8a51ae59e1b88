//! What the inner calls of a tool under test get: scripted answers, or a real gate's. Every call is kept
//! in a log. No gate is made here.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use toolgate_core::call::{Code, Stage, ToolCall, ToolResult};
use toolgate_core::session::Task;
use toolgate_core::tool::{BoxFuture, Effect, InnerCalls};

type Script = Arc<dyn Fn(&Value) -> ToolResult + Send + Sync>;

/// An answer `OK` with this data, as a tool with an effect gives it.
///
/// ```
/// let done = toolgate_testing::answer(serde_json::json!({"state": "up"}));
/// assert!(done.ok);
/// ```
pub fn answer(data: Value) -> ToolResult {
    ToolResult {
        data: Some(data),
        effect: Effect::Done,
        details: serde_json::Map::new(),
        ..ToolResult::refused(Code::Ok, Stage::Execute, "", "done")
    }
}

/// A refusal with this code, as policy gives it.
///
/// ```
/// let denied = toolgate_testing::refusal(toolgate_core::call::Code::PermissionDenied);
/// assert!(!denied.ok);
/// ```
pub fn refusal(code: Code) -> ToolResult {
    ToolResult::refused(code, Stage::Policy, "test.refused", "refused by the test; nothing was done")
}

/// One inner call that a tool made.
#[derive(Debug, Clone, PartialEq)]
pub struct InnerCall {
    /// The tool it asked for.
    pub tool: String,
    /// The arguments; `null` where they aren't JSON.
    pub arguments: Value,
    /// The operation it named.
    pub operation: Option<String>,
}

/// The inner calls that a tool made, in order.
#[derive(Debug, Clone, Default)]
pub struct InnerLog {
    entries: Arc<Mutex<Vec<InnerCall>>>,
}

impl InnerLog {
    /// What was called so far.
    pub fn entries(&self) -> Vec<InnerCall> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Answers by tool; the rest by a gate, where there is one.
#[derive(Clone, Default)]
pub(crate) struct Answers {
    scripts: HashMap<String, Script>,
    gate: Option<Task>,
    log: InnerLog,
}

impl fmt::Debug for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answers").field("tools", &self.scripts.keys()).finish_non_exhaustive()
    }
}

impl Answers {
    pub(crate) fn add(&mut self, tool: String, script: Script) {
        self.scripts.insert(tool, script);
    }

    pub(crate) fn through(&mut self, task: Task) {
        self.gate = Some(task);
    }

    pub(crate) fn log_to(&mut self, log: &InnerLog) {
        self.log = log.clone();
    }

    /// Notes the call, and answers it where it is scripted or nobody else can.
    fn scripted(&self, call: &ToolCall) -> Option<ToolResult> {
        let text = call.arguments.as_deref().unwrap_or(b"{}");
        let arguments: Value = toolgate_core::json::value_of(text).unwrap_or_default();
        let entry =
            InnerCall { tool: call.tool.clone(), arguments: arguments.clone(), operation: call.operation.clone() };
        self.log.entries.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
        match self.scripts.get(&call.tool) {
            Some(script) => Some(script(&arguments)),
            None if self.gate.is_some() => None,
            None => {
                let text = format!("nobody said what `{}` answers: `TestContext::answers` does", call.tool);
                let mut result = ToolResult::refused(Code::ToolNotFound, Stage::Contract, "inner.unanswered", text);
                result.details.insert("scripted".into(), json!(self.scripts.keys().collect::<Vec<_>>()));
                Some(result)
            }
        }
    }
}

impl InnerCalls for Answers {
    fn call(&self, call: ToolCall) -> BoxFuture<'static, ToolResult> {
        let answers = self.clone();
        Box::pin(async move {
            match (answers.scripted(&call), answers.gate) {
                (Some(result), _) => result,
                (None, Some(task)) => task.call(call).await,
                (None, None) => refusal(Code::ToolNotFound),
            }
        })
    }

    fn call_blocking(&self, call: ToolCall) -> ToolResult {
        match (self.scripted(&call), &self.gate) {
            (Some(result), _) => result,
            (None, Some(task)) => task.call_blocking(call).unwrap_or_else(|error| {
                ToolResult::refused(Code::PermissionDenied, Stage::Policy, "inner.blocking", error.to_string())
            }),
            (None, None) => refusal(Code::ToolNotFound),
        }
    }
}
