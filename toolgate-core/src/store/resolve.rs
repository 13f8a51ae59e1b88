//! What a person says about a call in doubt: it happened, it didn't, or some of it did. The first
//! answer counts, and only while nobody else has the key.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::StoreError;
use super::apply::Rows;
use super::event::Event;
use super::record::{CallRecord, KeyRecord, Millis, StoredResult};
use super::rules;
use crate::ledger::{CallState, Ending, KeyState};
use crate::tool::Effect;

/// What became of the world, as a person found it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It happened: a repeat gets the recorded answer.
    Applied,
    /// Nothing happened: a repeat runs.
    NotApplied,
    /// Some of it happened: a repeat is told so and runs nothing.
    Partial,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Applied, Self::NotApplied, Self::Partial];

    /// The word used in records and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::NotApplied => "not-applied",
            Self::Partial => "partial",
        }
    }

    /// The verdict of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.as_str() == word)
    }

    pub(super) const fn ending(self) -> Ending {
        match self {
            Self::Applied => Ending::Succeeded,
            Self::NotApplied => Ending::FailedNoEffect,
            Self::Partial => Ending::Partial,
        }
    }

    const fn effect(self) -> Effect {
        match self {
            Self::Applied => Effect::Done,
            Self::NotApplied => Effect::None,
            Self::Partial => Effect::Partial,
        }
    }
}

/// A person's word about a call in doubt. Survives power loss.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolve {
    /// The call.
    pub call_id: String,
    /// Its keys in doubt, each with the fence that was looked at; all of them are settled, or none.
    pub keys: Vec<(String, u64)>,
    /// What became of it.
    pub verdict: Verdict,
    /// What a repeat gets in place of a result of the tool.
    pub result: Option<StoredResult>,
    /// Who says so.
    pub by: String,
    /// How they know; redacted.
    pub why: String,
    /// When.
    pub now_ms: Millis,
}

/// What a record says of a resolution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResolutionRecord {
    /// `applied`, `not-applied` or `partial`.
    pub verdict: String,
    /// Who said so.
    pub by: String,
    /// How they knew.
    pub why: String,
    /// When.
    pub at_ms: Millis,
}

/// Answer to a resolution. All but the first changed nothing.
#[derive(Debug, Clone, PartialEq)]
#[must_use = "the answer says whether the resolution counted"]
pub enum Resolved {
    /// It counts; the call as it is now.
    Now(Box<CallRecord>),
    /// The call, or one of the keys, isn't in doubt as it was looked at: it was settled or resolved
    /// meanwhile, or runs.
    Changed(Box<CallRecord>),
    /// There is no such call.
    NotFound,
}

/// Whether the call by itself is in doubt: for one without a key, which has no other mark of it.
pub fn is_in_doubt(call: &CallRecord) -> bool {
    let state = CallState::parse(&call.state);
    matches!(state, Some(CallState::Unknown | CallState::TimedOut | CallState::Failed))
        && call.effect == Effect::Unknown.as_str()
        && call.resolution.is_none()
}

pub(super) fn resolve(rows: &mut dyn Rows, resolve: Resolve) -> Result<Resolved, StoreError> {
    let Resolve { call_id, keys, verdict, result, by, why, now_ms } = resolve;
    let Some(mut call) = rows.call(&call_id)? else {
        return Ok(Resolved::NotFound);
    };
    let mut found = Vec::with_capacity(keys.len());
    for (name, fence) in &keys {
        let is_held = |key: &KeyRecord| key.state == KeyState::InDoubt && key.fence == *fence && key.call_id == call_id;
        match rows.key(name)?.filter(is_held) {
            Some(key) => found.push(key),
            None => return Ok(Resolved::Changed(Box::new(call))),
        }
    }
    let is_open = if found.is_empty() { call.key.is_none() && is_in_doubt(&call) } else { call.resolution.is_none() };
    if !is_open {
        return Ok(Resolved::Changed(Box::new(call)));
    }
    rules::resolve_call(&call)?;
    for key in found {
        rows.put_key(rules::resolve_key(key, verdict.ending(), now_ms)?)?;
    }
    if let Some(result) = result {
        rows.put_result(result)?;
    }
    verdict.effect().as_str().clone_into(&mut call.effect);
    call.resolution = Some(ResolutionRecord { verdict: verdict.as_str().to_owned(), by, why, at_ms: now_ms });
    let call = Arc::new(call);
    rows.append(Event::of_call(&call, "resolved", now_ms))?;
    rows.put_call(Arc::clone(&call), None)?;
    Ok(Resolved::Now(Box::new(CallRecord::clone(&call))))
}
