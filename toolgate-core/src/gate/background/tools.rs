//! The built-in tools by which a model follows its background calls: `read_call` and `cancel_call`. They need no
//! more rights than the calls had, and see those of their own session only.

use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::cancel::CancelAnswer;
use super::known::{BackgroundState, BackgroundStatus, Known};
use crate::clock::format_time;
use crate::content::WithContent;
use crate::contract::SpecFault;
use crate::gate::answer::Answer;
use crate::gate::{GateInner, message};
use crate::spec::{Builtin, DynamicTool, RegisteredTool};
use crate::tool::{Context, ToolError};

/// Name of the built-in tool `read_call`, which a task has that sees a tool of the background: progress and result of
/// a call, by its handle. No other tool may have this name.
pub const READ_CALL: &str = "read_call";
/// Name of the built-in tool `cancel_call`, beside [`READ_CALL`]. No other tool may have this name.
pub const CANCEL_CALL: &str = "cancel_call";

/// Longest that `read_call` waits for an end, in seconds.
const LONGEST_WAIT: u64 = 30;
/// Between two looks at a call that runs in another process.
const LOOK: Duration = Duration::from_millis(500);
/// How long a cancelled call may take to be written down after its grace.
const WRITTEN: Duration = Duration::from_secs(1);
/// Longest that either takes.
const TIMEOUT: Duration = Duration::from_secs(LONGEST_WAIT + 10);

/// The gate that the tools ask, set once it is built.
pub(in crate::gate) type Behind = Arc<OnceLock<Weak<GateInner>>>;

/// Both of them.
pub(in crate::gate) fn background_tools(gate: &Behind) -> Result<[RegisteredTool; 2], SpecFault> {
    let handle = json!({"type": "string", "maxLength": 64, "description": "The handle of the background call."});
    let read = json!({
        "type": "object",
        "properties": {
            "handle": handle,
            "wait_seconds": {"type": "integer", "minimum": 0, "maximum": LONGEST_WAIT, "default": 0,
                             "description": "How long to wait for its end; 0 to look only."},
        },
        "required": ["handle"],
    });
    let cancel = json!({"type": "object", "properties": {"handle": handle}, "required": ["handle"]});
    let read_doc = "Says how far a call in the background is, and gives its result once it has one.";
    let cancel_doc = "Ends a call in the background before its time, and says what became of it.";
    let (reads, cancels) = (Arc::clone(gate), Arc::clone(gate));
    // A page of the result is bounded as the call's own tool says, and never cut again.
    let declare = |name, doc, schema| {
        DynamicTool::new(name, doc, schema).reads().trusted().result_limit(u32::MAX).timeout(TIMEOUT)
    };
    let mut read = declare(READ_CALL, read_doc, read).handler(move |context, arguments| {
        let gate = reads.get().and_then(Weak::upgrade);
        async move { read_call(&*upgraded(gate)?, &context, &arguments).await }
    })?;
    let mut cancel = declare(CANCEL_CALL, cancel_doc, cancel).handler(move |context, arguments| {
        let gate = cancels.get().and_then(Weak::upgrade);
        async move { cancel_call(&*upgraded(gate)?, &context, &arguments).await }
    })?;
    (read.builtin, cancel.builtin) = (Some(Builtin::ReadCall), Some(Builtin::CancelCall));
    Ok([read, cancel])
}

fn upgraded(gate: Option<Arc<GateInner>>) -> Result<Arc<GateInner>, ToolError> {
    gate.ok_or_else(|| ToolError::no_effect("the gate is shutting down"))
}

fn handle_of(arguments: &Value) -> &str {
    arguments.get("handle").and_then(Value::as_str).unwrap_or_default()
}

/// A handle of another session, agent or tenant is like one that doesn't exist.
fn no_such_call() -> ToolError {
    ToolError::no_effect("there is no background call with this handle in this session")
}

async fn read_call(gate: &GateInner, context: &Context, arguments: &Value) -> Result<WithContent<Value>, ToolError> {
    let seconds = arguments.get("wait_seconds").and_then(Value::as_u64).unwrap_or_default();
    let known = over_in(gate, context, handle_of(arguments), Duration::from_secs(seconds)).await?;
    Ok(shown(gate, known))
}

async fn cancel_call(gate: &GateInner, context: &Context, arguments: &Value) -> Result<WithContent<Value>, ToolError> {
    let handle = handle_of(arguments);
    let asker = Some((context.session(), context.principal()));
    let cancelled = gate.cancel_background(handle, asker, (context.principal(), "model")).await?;
    if cancelled == CancelAnswer::NotFound {
        return Err(no_such_call());
    }
    let longest = Duration::from_secs(LONGEST_WAIT);
    let wait = if cancelled == CancelAnswer::Asked { gate.grace + WRITTEN } else { Duration::ZERO };
    let mut shown = shown(gate, over_in(gate, context, handle, wait.min(longest)).await?);
    if let Some(data) = shown.data.as_object_mut() {
        data.insert("cancel".to_owned(), cancelled.as_str().into());
    }
    Ok(shown)
}

/// What is known of a call once it has ended, or when the time is over.
async fn over_in(gate: &GateInner, context: &Context, handle: &str, wait: Duration) -> Result<Known, ToolError> {
    let asker = Some((context.session(), context.principal()));
    let until = Instant::now() + wait;
    loop {
        let known = gate.known(handle, asker).await?.ok_or_else(no_such_call)?;
        if !known.status.is_running || Instant::now() >= until {
            return Ok(known);
        }
        let look = gate.wait_a_little(&known.record.call_id, LOOK);
        let _ = tokio::time::timeout_at(until, look).await;
    }
}

/// What the model reads.
fn shown(gate: &GateInner, known: Known) -> WithContent<Value> {
    let Known { status, record, kept } = known;
    let mut data = told(&status);
    let tool = gate.tools.get(&record.tool).filter(|_| status.state == BackgroundState::Succeeded);
    let Some(tool) = tool else {
        return WithContent { data: Value::Object(data), content: Vec::new() };
    };
    let Answer { given, truncated, message, mut details, .. } = gate.recorded(&record, kept, tool.spec, false);
    let Some(given) = given else {
        data.insert("message".to_owned(), message.into());
        return WithContent { data: Value::Object(data), content: Vec::new() };
    };
    let (result, content) = *given;
    data.insert("result".to_owned(), result);
    if truncated {
        data.insert("message".to_owned(), message.into());
        // Where the rest is, and what was left out.
        details.retain(|name, _| !matches!(name.as_str(), "replay_of" | "first_at"));
        data.insert("details".to_owned(), details.into());
    }
    WithContent { data: Value::Object(data), content }
}

/// How the call stands, without its result.
fn told(status: &BackgroundStatus) -> Map<String, Value> {
    let mut data = Map::new();
    let mut say = |name: &str, value: Value| drop(data.insert(name.to_owned(), value));
    say("state", status.state.as_str().into());
    say("tool", status.tool.as_str().into());
    say("attempts", status.attempts.into());
    if let Some(started) = status.started_ms {
        say("started", format_time(started).into());
    }
    let progress = status.progress.as_ref().filter(|_| status.state == BackgroundState::Running);
    if let Some(progress) = progress {
        say(
            "progress",
            json!({
                "done": progress.done, "total": progress.total, "fraction": progress.fraction(),
                "note": progress.note, "said": format_time(progress.at_ms),
            }),
        );
    }
    if status.state == BackgroundState::Running {
        if status.cancel_asked {
            say("cancel", CancelAnswer::Asked.as_str().into());
        }
        return data;
    }
    if let Some(finished) = status.finished_ms {
        say("finished", format_time(finished).into());
    }
    say("effect", status.effect.as_str().into());
    if status.state != BackgroundState::Succeeded {
        say("code", status.code.map_or("OUTCOME_UNKNOWN", |code| code.as_str()).into());
        say("message", message_of(status).into());
        if status.is_running {
            say("still_running", true.into());
        }
    }
    data
}

fn message_of(status: &BackgroundStatus) -> String {
    match status.state {
        // The record of a lost call says nothing to the model.
        BackgroundState::InDoubt if status.message.is_empty() => message::lost(status.effect),
        _ => status.message.clone(),
    }
}
