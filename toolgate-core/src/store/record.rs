//! What is stored about calls, keys, tickets, outcomes and stops. Everything a person may read is
//! redacted before it gets here; what must come back exactly is sealed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::resolve::ResolutionRecord;
use super::ticket::GivenApproval;
use crate::content::ContentRecord;
use crate::ledger::{CallState, Ending, KeyState};
use crate::policy::WouldRefuse;
use crate::spec::Repeat;
use crate::taint::Origin;
use crate::undo::UndoRecord;

/// Milliseconds since 1970-01-01 UTC.
pub type Millis = i64;

/// The audit record of one call: what an auditor reads. Redacted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts, each a field of the record")]
pub struct CallRecord {
    /// Name of the record.
    pub call_id: String,
    /// The state of the call as a word, such as `SUCCEEDED`.
    pub state: String,
    /// The tenant of the gate.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub tenant: String,
    /// The agent.
    pub principal: String,
    /// On whose behalf.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The session.
    pub session: String,
    /// The task.
    pub task: String,
    /// The kind of task.
    pub task_type: String,
    /// The business operation or turn the call belongs to.
    pub scope: String,
    /// The number of the turn, where turns are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<u64>,
    /// The provider's id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_call_id: Option<String>,
    /// The tool asked for; cut to 64 characters.
    pub tool: String,
    /// SHA-256 of the tool's contract.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contract: Option<String>,
    /// Risk level of the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk: Option<String>,
    /// Redacted arguments; for a call that doesn't parse, a redacted, bounded preview as text.
    #[serde(deserialize_with = "crate::json::plain")]
    pub arguments: Value,
    /// HMAC-SHA-256 of the canonical arguments, without the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// What was repaired before the contract was checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<String>,
    /// Version of the redaction pipeline.
    pub redaction: String,
    /// The model's stated reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Which policy decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicyRecord>,
    /// What controls would have refused that weren't enforced.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub would_refuse: Vec<WouldRefuse>,
    /// What the shadow policy said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shadow: Option<PolicyRecord>,
    /// Preconditions and what they saw.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub preconditions: Vec<PreconditionRecord>,
    /// Ticket, and who decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticket: Option<ApprovalRecord>,
    /// The credentials that the tool asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub credentials: Vec<CredentialRecord>,
    /// The idempotency key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The call whose answer was given again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay_of: Option<String>,
    /// The call that its fallback made: a repeat of the operation gets that one's answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
    /// The call that this one undoes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undo_of: Option<String>,
    /// What is kept for undoing it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undo: Option<UndoRecord>,
    /// The call whose answer no longer held when this one, or the one that it runs again, began anew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anew_after: Option<String>,
    /// Runs of the tool in this call.
    pub attempts: u32,
    /// When it came in.
    pub received_ms: Millis,
    /// When the tool was entered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_ms: Option<Millis>,
    /// When it was answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished_ms: Option<Millis>,
    /// Result code.
    pub code: String,
    /// The stage that answered.
    pub stage: String,
    /// What became of the world.
    pub effect: String,
    /// The finer rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// What the model was told.
    pub message: String,
    /// What the operator may know beyond it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operator: Option<String>,
    /// Characters of the whole result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_chars: Option<u64>,
    /// HMAC-SHA-256 of the whole result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_digest: Option<String>,
    /// Redacted, bounded result.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "crate::json::plain_or_none")]
    pub result_preview: Option<Value>,
    /// What the result had beside data: described, without its bytes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub content: Vec<ContentRecord>,
    /// Whether the model got less than the whole.
    pub truncated: bool,
    /// Whether it was answered with a handle, and ran on.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub background: bool,
    /// Whether the task had read an untrusted result when the call was made.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub tainted: bool,
    /// Whether what it gave counts as untrusted.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub untrusted: bool,
    /// Where its destinations came from, and what else the policy asked about; by JSON pointer.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub provenance: BTreeMap<String, Origin>,
    /// What a person said became of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<ResolutionRecord>,
    /// The call this one was made for: fallback of, or called from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// Whether its session stops where it is lost with its process: its tool says `abort_and_alert`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stops_if_lost: bool,
}

/// The tenant of a gate that names none.
pub const DEFAULT_TENANT: &str = "default";

/// The name under which a session's tickets, outcomes and stops are kept, so that equal names of two
/// tenants on one store are two sessions. That of the default tenant is the session's own.
pub fn bound_session(tenant: &str, session: &str) -> String {
    match tenant {
        "" | DEFAULT_TENANT if !session.starts_with("tenant:") => session.to_owned(),
        _ => format!("tenant:{}:{tenant}:{session}", tenant.len()),
    }
}

impl CallRecord {
    /// As [`bound_session`], of this call.
    pub fn bound_session(&self) -> String {
        bound_session(&self.tenant, &self.session)
    }
}

/// Which policy decided, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyRecord {
    /// `allow`, `deny` or `ask`.
    pub decision: String,
    /// Name and version of the policy.
    pub policy: String,
    /// The rule that decided.
    pub rule: String,
    /// Why.
    pub reason: String,
}

/// One precondition and what it saw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreconditionRecord {
    /// The tool whose outcome was asked for.
    pub tool: String,
    /// The expression.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// The call that was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
    /// Whether it holds.
    pub holds: bool,
}

/// One credential that a tool asked for; never its value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CredentialRecord {
    /// Its name.
    pub name: String,
    /// Who issued it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broker: Option<String>,
    /// When it ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_ms: Option<Millis>,
    /// The rule by which it was not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// The ticket of a call and who decided it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ApprovalRecord {
    /// The ticket.
    pub id: String,
    /// Its state when this was written.
    pub state: String,
    /// How many different people must say yes, where that is more than one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needed: Option<u32>,
    /// Who has said yes so far, where several must.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub approvals: Vec<GivenApproval>,
    /// Who decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Through which channel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// What they said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

/// An event as it is stored, with its place in the chain.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredEvent {
    /// Position, from 1, without gaps.
    pub seq: u64,
    /// The call.
    pub call_id: String,
    /// What happened.
    pub kind: String,
    /// When.
    pub at_ms: Millis,
    /// Facts.
    pub body: Value,
    /// Chain link, hex.
    pub link: String,
}

/// A business operation as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRecord {
    /// The key.
    pub key: String,
    /// HMAC of tool, contract and canonical arguments.
    pub fingerprint: String,
    /// The tool.
    pub tool: String,
    /// The call that owns or settled it.
    pub call_id: String,
    /// Where it stands.
    pub state: KeyState,
    /// How repeats are treated, as declared at the claim.
    pub idempotent: bool,
    /// Runs so far.
    pub attempts: u32,
    /// Counts owners; a write with another fence changes nothing.
    pub fence: u64,
    /// The process that runs it.
    pub owner: String,
    /// When it was claimed last.
    pub claimed_ms: Millis,
    /// When it was settled.
    pub settled_ms: Option<Millis>,
}

/// A claim on a key, part of transaction A.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The key.
    pub key: String,
    /// HMAC of tool, contract and canonical arguments.
    pub fingerprint: String,
    /// How repeats are treated.
    pub repeat: Repeat,
    /// The call whose recorded result was looked at and no longer holds. It must still be the one that
    /// settled the key; `None` where no result was looked at.
    pub stale: Option<String>,
}

/// The end of a claim, part of transaction B.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settle {
    /// The key.
    pub key: String,
    /// As given by transaction A.
    pub fence: u64,
    /// How it ended.
    pub ending: Ending,
    /// Whether this is a result that came after the key was in doubt.
    pub late: bool,
}

/// What a tool's run showed, for preconditions of other tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutcomeRecord {
    /// The session.
    pub session: String,
    /// The task.
    pub task: String,
    /// The tool.
    pub tool: String,
    /// The call.
    pub call_id: String,
    /// When it finished.
    pub at_ms: Millis,
    /// Whether it succeeded.
    pub ok: bool,
    /// Sealed JSON: arguments and the result's fields that expressions name.
    pub facts: Vec<u8>,
}

/// A whole result, kept for replays and for reading on by handle. Sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResult {
    /// The call.
    pub call_id: String,
    /// Only this session may read it.
    pub session: String,
    /// Sealed JSON text, masked and unclipped.
    pub sealed: Vec<u8>,
}

/// A call that a sweep found without an owner, and what it is called now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SweptCall {
    /// The call.
    pub call_id: String,
    /// The tool.
    pub tool: String,
    /// What it is now.
    pub state: CallState,
}
