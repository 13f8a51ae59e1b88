//! Calls that a running tool makes: through the whole gate, as part of its own call. Not a way to run
//! another tool's function, which is a plain function and can be called as such.

use serde::Serialize;
use serde_json::Value;

use super::context::Context;
use super::error::{Effect, ToolError};
use super::invocation::BoxFuture;
use crate::call::{Code, Stage, ToolCall, ToolResult};

/// Where the calls of a running tool go: to the gate that runs it, or in unit tests to a script.
pub trait InnerCalls: Send + Sync {
    /// Takes the call to its answer.
    fn call(&self, call: ToolCall) -> BoxFuture<'static, ToolResult>;

    /// As [`Self::call`], on a thread that may wait.
    fn call_blocking(&self, call: ToolCall) -> ToolResult;
}

/// What kept an inner call from being carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InnerRefusal {
    pub(crate) call_id: String,
    pub(crate) code: Code,
    pub(crate) rule: Option<String>,
    pub(crate) ticket: Option<String>,
}

impl Context {
    /// Calls another tool, through the whole gate: under the same task, capabilities and policy, with a
    /// record of its own whose `parent` is this call. Always answers.
    ///
    /// - The other tool may not have a higher risk than this one: a tool that says it only reads can't
    ///   write through another. Calls go at most 8 deep.
    /// - Equal calls in one operation of this tool are one operation, unless `in_operation` tells them
    ///   apart: when this tool is run again for the same idempotency key, what it has called is not done
    ///   twice, also where the other tool is `repeatable`.
    /// - Where a person must be asked, the answer is `CONFIRMATION_REQUIRED` at once, or when an
    ///   approver that the gate has answers. Fail then with [`ToolResult::or_error`]: once the ticket is
    ///   used, the same call of this tool goes on.
    /// - It ends with this call: its time is what is left of this one's, and none begins afterwards.
    pub async fn call(&self, call: ToolCall) -> ToolResult {
        let tool = call.tool.clone();
        let result = match self.calls() {
            Some(calls) => calls.call(call).await,
            None => unanswered(),
        };
        named(result, tool)
    }

    /// As [`Context::call`], for a sync tool.
    ///
    /// An async tool gets an answer with the rule `inner.blocking` and nothing is done: it would keep a
    /// thread of the runtime from its work.
    pub fn call_blocking(&self, call: ToolCall) -> ToolResult {
        let tool = call.tool.clone();
        let result = match self.calls() {
            Some(calls) => calls.call_blocking(call),
            None => unanswered(),
        };
        named(result, tool)
    }

    /// Calls another tool and gives its data, whole: it is not cut for a model.
    ///
    /// # Errors
    /// As [`ToolResult::or_error`] says, and where the arguments can't be written as JSON.
    pub async fn call_tool(&self, tool: &str, arguments: &(impl Serialize + Sync)) -> Result<Value, ToolError> {
        data(self.call(written(tool, arguments)?).await)
    }

    /// As [`Context::call_tool`], for a sync tool.
    ///
    /// # Errors
    /// As [`Context::call_tool`].
    pub fn call_tool_blocking(&self, tool: &str, arguments: &impl Serialize) -> Result<Value, ToolError> {
        data(self.call_blocking(written(tool, arguments)?))
    }
}

fn written(tool: &str, arguments: &impl Serialize) -> Result<ToolCall, ToolError> {
    match serde_json::to_vec(arguments) {
        Ok(arguments) => Ok(ToolCall::new(tool, arguments)),
        Err(error) => {
            Err(ToolError::no_effect("the arguments of another tool could not be written").with_source(error))
        }
    }
}

fn data(result: ToolResult) -> Result<Value, ToolError> {
    result.or_error().map(|result| result.data.unwrap_or_default())
}

fn named(mut result: ToolResult, tool: String) -> ToolResult {
    result.details.insert("tool".into(), tool.into());
    result
}

fn unanswered() -> ToolResult {
    let text = "there is no gate behind this context: say with `TestContext::answers` what the tool answers";
    ToolResult::refused(Code::ToolNotFound, Stage::Contract, "inner.unanswered", text)
}

impl ToolResult {
    /// The answer of an inner call, or an error for the tool that made it to fail with. Its effect is the
    /// answer's: none where the call was refused, which then counts as a refusal of the outer call too
    /// and triggers no failure policy. What other inner calls did before, the gate knows by itself; what
    /// the tool did by its own means it must say with [`ToolError::with_effect`].
    ///
    /// # Errors
    /// Where the answer isn't ok.
    pub fn or_error(self) -> Result<Self, ToolError> {
        if self.ok {
            return Ok(self);
        }
        let tool = self.details.get("tool").and_then(Value::as_str).unwrap_or("another tool");
        let is_refused = self.effect == Effect::None && !matches!(self.stage, Stage::Execute | Stage::Clip);
        let became = if is_refused { "was not carried out" } else { "failed" };
        let effect = if self.effect == Effect::Done { Effect::Partial } else { self.effect };
        // A call of a tool that isn't there has no record.
        let id = if self.call_id.is_empty() { String::new() } else { format!(" {}", self.call_id) };
        let cause = format!("inner call{id} of {tool}: {} at {}", self.code, self.stage);
        // A name that is wrong in the tool's code, or isn't granted: nothing that the model could do better.
        let is_there = self.rule() != Some("tool.unknown");
        let text = if is_there {
            format!("`{tool}` {became}: {}", self.message)
        } else {
            "it calls another tool that is not there in this session; don't try again, tell the user".to_owned()
        };
        let error = ToolError::new(text).with_effect(effect).with_source(cause);
        let error = if self.retryable && is_there { error.retryable() } else { error };
        if !is_refused {
            return Err(error);
        }
        let (rule, ticket) = (self.rule().map(str::to_owned), self.ticket().map(str::to_owned));
        Err(error.refused(InnerRefusal { rule, ticket, call_id: self.call_id, code: self.code }))
    }
}
