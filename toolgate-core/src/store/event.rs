//! What happened to a call, as it is handed to a store. The text that is stored and linked is made where
//! it is needed. Not the chain, which is in `chain`.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Serialize;

use super::record::{CallRecord, Millis};

/// One appended event of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The call, or empty for events of the gate itself.
    pub call_id: String,
    /// Such as `received`, `started`, `finished`, `late_result`, `resolved`.
    pub kind: &'static str,
    /// When.
    pub at_ms: Millis,
    /// Redacted facts.
    pub facts: Facts,
}

/// What an event tells.
#[derive(Debug, Clone, PartialEq)]
pub enum Facts {
    /// JSON text.
    Text(String),
    /// The call as it was then.
    Call(Arc<CallRecord>),
    /// The call as it began, and the name of the call that began it: one that was approved has its own
    /// name, whoever dispatches it.
    Begun(Arc<CallRecord>, String),
}

/// Where the event of a transaction A says who began it.
pub(crate) const BEGUN_BY: &str = "begun_by";

#[derive(Serialize)]
struct BegunBy<'a> {
    #[serde(flatten)]
    record: &'a CallRecord,
    /// Read again under [`BEGUN_BY`].
    begun_by: &'a str,
}

impl Facts {
    /// The JSON text that is stored and linked.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Call(record) => Cow::Owned(text_of(&**record)),
            Self::Begun(record, begun_by) => Cow::Owned(text_of(&BegunBy { record, begun_by })),
        }
    }
}

/// Facts that have no JSON, such as a map with keys that are no text, are `null`.
fn text_of(facts: &impl Serialize) -> String {
    serde_json::to_string(facts).unwrap_or_else(|_| "null".to_owned())
}

impl Event {
    /// An event with these facts. Those that have no JSON are `null`.
    pub fn new(call_id: impl Into<String>, kind: &'static str, at_ms: Millis, facts: &impl Serialize) -> Self {
        Self { call_id: call_id.into(), kind, at_ms, facts: Facts::Text(text_of(facts)) }
    }

    /// An event that carries the call as it is now.
    pub fn of_call(call: &Arc<CallRecord>, kind: &'static str, at_ms: Millis) -> Self {
        Self { call_id: call.call_id.clone(), kind, at_ms, facts: Facts::Call(Arc::clone(call)) }
    }
}
