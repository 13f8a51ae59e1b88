//! The transcript for machines: objects with `kind`, `stage`, `code`, `effect` and `call` (null where the
//! event has none), and what else belongs to the kind.

use toolgate::serde_json::{Value, json};
use toolgate::store::CallRecord;

use super::event::{Answered, Event};

/// The lines of one event; one for each record of the audit.
pub(crate) fn lines(event: &Event<'_>) -> Vec<Value> {
    match event {
        Event::Begin(places) => {
            let places = places.iter().map(|(name, path)| ((*name).to_owned(), path.display().to_string().into()));
            vec![plain("begin", "places", Value::Object(places.collect()))]
        }
        Event::Note(text) => vec![plain("note", "text", (*text).into())],
        Event::User(text) => vec![plain("user", "text", (*text).into())],
        Event::Said(text) => vec![plain("model", "text", (*text).into())],
        Event::Task(task) => {
            let tools: Vec<&str> = task.tools().iter().map(|tool| tool.spec.name).collect();
            vec![plain("task", "task", json!({"type": task.task_type(), "id": task.id(), "tools": tools}))]
        }
        Event::Call(answered) => vec![call(answered)],
        Event::Decided(ticket) => vec![json!({
            "kind": "person", "stage": "confirmation", "code": null, "effect": "none",
            "call": {"call_id": ticket.call_id, "tool": ticket.tool},
            "ticket": ticket.id, "state": ticket.state.as_str(), "by": ticket.decided_by,
            "channel": ticket.channel, "comment": ticket.comment, "shown": ticket.view,
        })],
        Event::Resumed { by, stops } => vec![plain("resume", "person", json!({"by": by, "stops": stops}))],
        Event::Alert(alert) => vec![json!({
            "kind": "alert", "stage": "execute", "code": alert.code, "effect": alert.effect,
            "call": {"call_id": alert.call_id, "tool": alert.tool}, "alert": alert,
        })],
        Event::Audit(records) => records.iter().map(audit).collect(),
        Event::End { calls, surprises, fate } => {
            vec![plain("end", "outcome", json!({"calls": calls, "surprises": surprises, "files": fate}))]
        }
    }
}

/// A line about something that is no call.
fn plain(kind: &str, name: &str, value: Value) -> Value {
    let mut line = json!({"kind": kind, "stage": null, "code": null, "effect": null, "call": null});
    if let Some(line) = line.as_object_mut() {
        line.insert(name.to_owned(), value);
    }
    line
}

fn call(answered: &Answered<'_>) -> Value {
    let Answered { number, tool, arguments, resumed, result, record: _ } = answered;
    let mut whole = result.to_json();
    if let Some(whole) = whole.as_object_mut() {
        whole.insert("tool".into(), (*tool).into());
        whole.insert("arguments".into(), arguments.clone().into());
    }
    json!({
        "kind": "call", "number": number, "resumed": resumed, "stage": result.stage.as_str(),
        "code": result.code.as_str(), "effect": result.effect.as_str(), "call": whole,
    })
}

fn audit(record: &CallRecord) -> Value {
    json!({
        "kind": "audit", "stage": record.stage, "code": record.code, "effect": record.effect, "call": record,
    })
}
