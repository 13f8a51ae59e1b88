//! The declared facts about a tool: risk, repeats, failure policy. Plain data that the macro writes
//! as constants; not the checks between them, which are the macro's and [`SpecFault`](crate::contract::SpecFault)'s.

use std::time::Duration;

/// How much a tool can do to the world, in four levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Risk {
    /// Reads only.
    Read,
    /// Changes something of one's own.
    Write,
    /// Leaves the organisation, or a third party sees it.
    External,
    /// Destroys, changes permissions or runs arbitrary code.
    Dangerous,
}

impl Risk {
    /// All levels, lowest first.
    pub const ALL: [Self; 4] = [Self::Read, Self::Write, Self::External, Self::Dangerous];

    /// The word used in attributes, policies, columns and messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::External => "external",
            Self::Dangerous => "dangerous",
        }
    }

    /// The level of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|risk| risk.as_str() == word)
    }

    /// Whether a call can change anything at all.
    pub const fn is_effectful(self) -> bool {
        !matches!(self, Self::Read)
    }
}

impl std::fmt::Display for Risk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Who writes what a tool gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Trust {
    /// One's own systems: a value in it is as good as its source.
    #[default]
    Trusted,
    /// Strangers, in part at least: a web page, an e-mail, a ticket. It may hold instructions for the model.
    Untrusted,
}

impl Trust {
    /// The word used in attributes and specs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Trusted => "trusted",
            Self::Untrusted => "untrusted",
        }
    }
}

/// How a second call of the same business operation is treated (design: idempotency and outcomes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeat {
    /// The tool only reads; a read is never deduplicated.
    Reads,
    /// Doing it twice is like doing it once.
    Idempotent,
    /// One effect for a key; what is in doubt waits for a person.
    Once,
    /// Each call is a new effect, for the reason given.
    Repeatable(&'static str),
}

impl Repeat {
    /// The word used in specs and the audit trail.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reads => "reads",
            Self::Idempotent => "idempotent",
            Self::Once => "once",
            Self::Repeatable(_) => "repeatable",
        }
    }

    /// Whether calls carry an idempotency key.
    pub const fn is_keyed(self) -> bool {
        matches!(self, Self::Idempotent | Self::Once)
    }
}

/// Whether a tool says when its effect begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EffectMarks {
    /// It doesn't: what ends without saying so may have had its effect.
    #[default]
    Unmarked,
    /// It does, by [`Context::effect_starts`](crate::tool::Context::effect_starts) or a library's helpers: what ends
    /// before had none.
    Marked,
}

/// What scopes the idempotency key of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyRule {
    /// All canonical arguments.
    Arguments,
    /// The named arguments only; the same key with other arguments is a conflict.
    Named(&'static [&'static str]),
    /// The host's own key; a call without one is refused.
    Host,
}

/// What happens after a call failed, timed out or is in doubt. A refusal triggers nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailurePolicy {
    /// Run again, for errors that say retrying can help; `read` and `idempotent` tools only.
    Retry {
        /// Runs after the first one, 1 to 10.
        max: u32,
        /// Wait before the first retry; doubled each time, with jitter.
        backoff: Duration,
    },
    /// Call another tool with the same arguments, through the whole gate.
    Fallback {
        /// Its name, in the same toolset, of no higher risk.
        tool: &'static str,
    },
    /// The tool is closed for effectful use in this task until it is reopened.
    Abort,
    /// The task and its session refuse effectful calls until a person resumes them; alert sinks are told.
    AbortAndAlert,
}

impl FailurePolicy {
    /// The default of a risk level: `retry(2)`, `abort`, `abort`, `abort_and_alert`.
    pub const fn default_for(risk: Risk) -> Self {
        match risk {
            Risk::Read => Self::Retry { max: 2, backoff: Duration::from_millis(200) },
            Risk::Write | Risk::External => Self::Abort,
            Risk::Dangerous => Self::AbortAndAlert,
        }
    }

    /// The word used in attributes, specs and the audit trail.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Retry { .. } => "retry",
            Self::Fallback { .. } => "fallback",
            Self::Abort => "abort",
            Self::AbortAndAlert => "abort_and_alert",
        }
    }
}

/// Whether a person must approve a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirm {
    /// Asked, with this text; `{name}` stands for an argument.
    Ask(&'static str),
    /// Not asked, for this stated reason (`external` and `dangerous` tools must give one).
    Unconfirmed(&'static str),
    /// Not asked; reads and plain writes.
    NotNeeded,
}

/// A fact that another tool's recorded outcome must show before this tool may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Precondition {
    /// Name of the other tool, in the same toolset.
    pub tool: &'static str,
    /// Expression over `result`, `prior`, `args`, `task`; absent means "it succeeded".
    pub when: Option<&'static str>,
    /// How old the outcome may be; absent means "in this task".
    pub max_age: Option<Duration>,
    /// Why the outcome need not be about the same arguments.
    pub unbound: Option<&'static str>,
}
