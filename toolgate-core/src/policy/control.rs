//! The controls that a policy may take on step by step, and how far each one goes. Not what the controls check.

use serde::{Deserialize, Serialize};

use super::Verdict;
use crate::call::Stage;

/// How far a control goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// What it would have refused is recorded, and the call goes on.
    Observe,
    /// As observe, and operators are told: in the log, and through the alert sinks.
    Warn,
    /// It refuses.
    Enforce,
}

impl Mode {
    /// All modes, mildest first.
    pub const ALL: [Self; 3] = [Self::Observe, Self::Warn, Self::Enforce];

    /// The word used in policy files and records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Observe => "observe",
            Self::Warn => "warn",
            Self::Enforce => "enforce",
        }
    }

    /// The mode of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == word)
    }
}

/// A control that may be taken on step by step. Others can't: what is no call of a tool (parsing, the contract),
/// where a path really leads (the workspace), what was done before (the ledger), and the record are always enforced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Control {
    /// The tools that a task type is granted.
    Tools,
    /// Its risks.
    Risks,
    /// Its permissions.
    Permissions,
    /// Its folders for reading and writing.
    Paths,
    /// Its hosts.
    Hosts,
    /// Its programs.
    Programs,
    /// Its credentials.
    Credentials,
    /// Rules on arguments, those that ask, too.
    Rules,
    /// What a task type needs a person for.
    Approvals,
    /// Arguments that must be in a list.
    Lists,
    /// Calls, rate, bytes and time.
    Limits,
    /// What tools say must have been seen first.
    Preconditions,
    /// What tools say a person must confirm.
    Confirmation,
}

impl Control {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Tools,
        Self::Risks,
        Self::Permissions,
        Self::Paths,
        Self::Hosts,
        Self::Programs,
        Self::Credentials,
        Self::Rules,
        Self::Approvals,
        Self::Lists,
        Self::Limits,
        Self::Preconditions,
        Self::Confirmation,
    ];

    /// The word used in policy files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Risks => "risks",
            Self::Permissions => "permissions",
            Self::Paths => "paths",
            Self::Hosts => "hosts",
            Self::Programs => "programs",
            Self::Credentials => "credentials",
            Self::Rules => "rules",
            Self::Approvals => "approvals",
            Self::Lists => "lists",
            Self::Limits => "limits",
            Self::Preconditions => "preconditions",
            Self::Confirmation => "confirmation",
        }
    }

    /// The control of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|control| control.as_str() == word)
    }
}

/// What a control that isn't enforced yet would have refused or asked a person about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WouldRefuse {
    /// The stage at which the call would have ended.
    pub stage: String,
    /// The rule.
    pub rule: String,
    /// Whether a person would have been asked (`ask`), or the call refused (`deny`).
    pub verdict: String,
    /// How far the control goes: `observe` or `warn`.
    pub mode: Mode,
    /// Why.
    pub reason: String,
}

impl WouldRefuse {
    /// What a control of this mode would have said at a stage: refused the call, or asked a person about it.
    pub(crate) fn new(verdict: Verdict, rule: impl Into<String>, mode: Mode, reason: impl Into<String>) -> Self {
        let stage = if verdict == Verdict::Ask { Stage::Confirmation } else { Stage::Policy };
        let (rule, verdict, reason) = (rule.into(), verdict.as_str().to_owned(), reason.into());
        Self { stage: stage.as_str().to_owned(), rule, verdict, mode, reason }
    }

    /// The same, at another stage than the policy's.
    pub(crate) fn at(self, stage: Stage) -> Self {
        Self { stage: stage.as_str().to_owned(), ..self }
    }
}
