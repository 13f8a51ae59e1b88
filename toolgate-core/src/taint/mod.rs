//! Where values come from: what the user said, what tools gave, and what neither did. The memory of one task, bounded;
//! not the decision about a value, which is a policy's.

mod approved;
mod memory;
mod needle;
mod source;
mod traced;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use memory::{MAX_RESULTS, MAX_SAID};
pub use traced::Traced;

use crate::content::Content;
use approved::Approved;
use memory::Memory;
use needle::Needle;

/// Most parts of a value that are looked for; what more it has counts as the model's own.
const MAX_LOOKED_FOR: usize = 128;

/// How far a value can be trusted, by where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Provenance {
    /// The user said it.
    User,
    /// A person approved this very value for this argument of this tool, in this task.
    Approved,
    /// It stands in the result of a trusted tool, and in nothing less trusted.
    Trusted,
    /// It stands nowhere: the model made it up, in a task that has read nothing untrusted.
    Model,
    /// It stands in an untrusted result, or nowhere in a task that has read one, or that can't be told any more.
    Untrusted,
}

impl Provenance {
    /// The word of conditions and records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Approved => "approved",
            Self::Trusted => "trusted",
            Self::Model => "model",
            Self::Untrusted => "untrusted",
        }
    }
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A result that a value comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultOf {
    /// The call.
    pub call_id: String,
    /// Its tool.
    pub tool: String,
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// How far it can be trusted.
    pub provenance: Provenance,
    /// The result that it stands in; of a value that stands nowhere, the one that made the task untrusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultOf>,
    /// Whether it stands there, and isn't only the model's own in a task that has read such a result.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub found: bool,
}

impl Origin {
    fn new(provenance: Provenance, result: Option<ResultOf>, found: bool) -> Self {
        Self { provenance, result, found }
    }

    /// What was said by the user, or says nothing at all.
    pub(crate) fn user() -> Self {
        Self::new(Provenance::User, None, true)
    }
}

impl fmt::Display for Origin {
    /// As a person reads it: `from an untrusted result of read_email (call call_1)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { provenance, result, found } = self;
        match (provenance, result, found) {
            (Provenance::User, ..) => f.write_str("said by the user"),
            (Provenance::Approved, ..) => f.write_str("approved by a person in this task"),
            (Provenance::Model, ..) => f.write_str("from the model alone"),
            (Provenance::Trusted, Some(ResultOf { call_id, tool }), _) => {
                write!(f, "from a trusted result of {tool} (call {call_id})")
            }
            (Provenance::Untrusted, Some(ResultOf { call_id, tool }), true) => {
                write!(f, "from an untrusted result of {tool} (call {call_id})")
            }
            (Provenance::Untrusted, Some(ResultOf { call_id, tool }), false) => {
                write!(f, "not said by the user, after an untrusted result of {tool} (call {call_id})")
            }
            (Provenance::Untrusted, ..) => {
                f.write_str("not said by the user, in a task that has read an untrusted result")
            }
            (Provenance::Trusted, None, _) => f.write_str("from a trusted result"),
        }
    }
}

/// What one task has been told, shared by all that narrow it and by the calls that its tools make.
#[derive(Debug, Clone, Default)]
pub struct Taint {
    memory: Arc<Mutex<Memory>>,
    approved: Arc<Mutex<Approved>>,
    /// Whether the ledger must be asked what was before.
    has_past: Arc<AtomicBool>,
}

impl Taint {
    /// Of a task that has been told nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Of a task that may have been open before.
    pub(crate) fn reopened() -> Self {
        let this = Self::default();
        this.has_past.store(true, Ordering::Relaxed);
        this
    }

    pub(crate) fn needs_past(&self) -> bool {
        self.has_past.load(Ordering::Relaxed)
    }

    /// The ledger's answer.
    pub(crate) fn know_past(&self, was_tainted: bool) {
        if was_tainted {
            self.was_tainted();
        }
        self.has_past.store(false, Ordering::Relaxed);
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The user said this.
    pub fn user_said(&self, text: &str) {
        self.memory().said(text);
    }

    /// A result was given to the model: from now on the values in it come from there.
    pub fn gave(&self, from: &ResultOf, untrusted: bool, value: &Value, content: &[Content]) {
        let mut memory = self.memory();
        memory.gave(from, untrusted, &source::of_result(value, content));
    }

    /// As [`Self::gave`], where nobody asks where values come from and none is remembered.
    pub(crate) fn gave_unseen(&self, from: &ResultOf, untrusted: bool) {
        if untrusted {
            let mut memory = self.memory();
            memory.taint(from);
            memory.forget();
        }
    }

    /// A tool was called with these arguments, and what it gives may repeat them: what the model made of them stays
    /// the model's, and what is untrusted stays so.
    pub fn called_with(&self, from: &ResultOf, arguments: &Value) {
        // The names of arguments are the tool's own.
        let leaves = match arguments {
            Value::Object(fields) => fields.values().flat_map(source::leaves).collect(),
            other => source::leaves(other),
        };
        let mut memory = self.memory();
        for leaf in leaves.iter().take(MAX_LOOKED_FOR) {
            memory.used(from, leaf);
        }
        memory.used_more(from, leaves.get(MAX_LOOKED_FOR..).unwrap_or_default());
    }

    /// The task was open before, and has read something untrusted then.
    pub fn was_tainted(&self) {
        self.memory().was_tainted();
    }

    /// Whether the task has read an untrusted result.
    pub fn is_tainted(&self) -> bool {
        self.memory().is_tainted()
    }

    /// Where this value comes from: of a list or an object, its least trusted part.
    pub fn origin(&self, value: &Value) -> Origin {
        self.worst(&source::leaves(value))
    }

    pub(crate) fn origin_of(&self, value: &toolgate_expr::Value) -> Origin {
        self.worst(&source::leaves_of(value))
    }

    fn worst(&self, leaves: &[Needle]) -> Origin {
        let memory = self.memory();
        let mut worst = if leaves.len() > MAX_LOOKED_FOR { memory.nowhere() } else { Origin::user() };
        for leaf in leaves.iter().take(MAX_LOOKED_FOR) {
            let origin = memory.origin(leaf);
            if origin.provenance > worst.provenance || origin.provenance == worst.provenance && !worst.found {
                worst = origin;
            }
            if worst.provenance == Provenance::Untrusted && worst.found {
                break;
            }
        }
        worst
    }

    /// Whether there are other handles of the same memory.
    pub(crate) fn is_held_elsewhere(&self) -> bool {
        Arc::strong_count(&self.memory) > 1
    }

    /// Bytes of text that are remembered.
    pub fn remembered(&self) -> usize {
        self.memory().bytes()
    }
}

#[cfg(test)]
mod tests;
