//! What is kept sealed about a call: its whole result and the files it left, and the call behind a
//! ticket. One form for each, with a version.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::blocks::Blocks;
use crate::keys::{GateKey, SealBroken};
use crate::resource::Pin;
use crate::store::StoredResult;

/// A whole result, masked, and what the call left in the workspace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Sealed {
    pub(super) v: u8,
    #[serde(deserialize_with = "crate::json::plain")]
    pub(super) value: Value,
    /// What it gave beside data, masked, bytes and all.
    #[serde(default, skip_serializing_if = "Blocks::is_empty")]
    pub(super) blocks: Blocks,
    /// Pointer of the argument, and the file as the call left it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) files: Vec<(String, Pin)>,
    /// What the model is told in place of a value: the failure of a call whose caller was told of
    /// something else, such as a timeout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
}

impl Sealed {
    pub(super) fn value(value: Value) -> Self {
        Self { v: 1, value, blocks: Blocks::default(), files: Vec::new(), error: None }
    }

    pub(super) fn error(text: String) -> Self {
        Self { error: Some(text), ..Self::value(Value::Null) }
    }
}

/// The call behind a ticket: what is dispatched when it is approved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SealedCall {
    pub(super) v: u8,
    pub(super) tool: String,
    /// Canonical arguments, reason included.
    pub(super) arguments: String,
    pub(super) scope: String,
    #[serde(default)]
    pub(super) provider_call_id: Option<String>,
    #[serde(default)]
    pub(super) reasoning: Option<String>,
    #[serde(default)]
    pub(super) key: Option<String>,
    #[serde(default)]
    pub(super) parent: Option<String>,
    /// The key of a step in another call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) step: Option<String>,
    /// Pointer of the argument, and the path as it was when the person was asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) pins: Vec<(String, Pin)>,
    /// What was repaired in its arguments, as its record says it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) repairs: Vec<String>,
    /// The call that it undoes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) undoes: Option<String>,
}

fn result_context(call_id: &str, session: &str) -> String {
    format!("toolgate.result.v1/{session}/{call_id}")
}

fn ticket_context(ticket: &str) -> String {
    format!("toolgate.ticket.v1/{ticket}")
}

pub(super) fn seal_result(
    key: &GateKey,
    call_id: &str,
    session: &str,
    sealed: &Sealed,
) -> Result<StoredResult, SealBroken> {
    let text = serde_json::to_vec(sealed).map_err(|_| SealBroken)?;
    let sealed = key.seal(&result_context(call_id, session), &text)?;
    Ok(StoredResult { call_id: call_id.to_owned(), session: session.to_owned(), sealed })
}

pub(super) fn open_result(key: &GateKey, stored: &StoredResult) -> Result<Sealed, SealBroken> {
    let text = key.open(&result_context(&stored.call_id, &stored.session), &stored.sealed)?;
    serde_json::from_slice(&text).map_err(|_| SealBroken)
}

pub(super) fn seal_call(key: &GateKey, ticket: &str, call: &SealedCall) -> Result<Vec<u8>, SealBroken> {
    let text = serde_json::to_vec(call).map_err(|_| SealBroken)?;
    key.seal(&ticket_context(ticket), &text)
}

pub(super) fn open_call(key: &GateKey, ticket: &str, sealed: &[u8]) -> Result<SealedCall, SealBroken> {
    let text = key.open(&ticket_context(ticket), sealed)?;
    serde_json::from_slice(&text).map_err(|_| SealBroken)
}
