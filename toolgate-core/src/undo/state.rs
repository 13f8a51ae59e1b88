//! One change of one name, as it is kept: what stood there, what was put there, and by which call.

use serde::{Deserialize, Serialize};

use crate::store::Millis;

/// What is kept for undoing a call, as its record tells it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndoRecord {
    /// Changes that were kept.
    pub steps: u32,
    /// Why the call can't be undone all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_possible: Option<String>,
}

/// What stands at a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "is")]
pub(crate) enum State {
    /// Nothing.
    Absent,
    /// A regular file: keyed digest of its bytes, how many they are, and its permission bits.
    File { digest: String, size: u64, mode: u32 },
    /// A folder.
    Folder { mode: u32 },
    /// What can't be brought back, and why.
    Lost { why: String },
}

/// The facts of a call that its undoing needs, without the tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// Canonical arguments.
    pub(crate) arguments: String,
    /// Id of the workspace.
    pub(crate) workspace: String,
    /// Where the host opened it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) root: Option<String>,
    pub(crate) permissions: Vec<String>,
    /// Whether a person is asked before such a call.
    pub(crate) asks: bool,
}

/// One change of one name, kept before it was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) v: u8,
    pub(crate) at_ms: Millis,
    /// The facts of the call, with its first step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) facts: Option<Box<Facts>>,
    pub(crate) change: Change,
}

/// What became of one name; the place is relative to the root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Change {
    pub(crate) place: String,
    pub(crate) before: State,
    pub(crate) after: State,
}
