//! Limits of calls, rates, bytes and time, as a policy says them. Not the counting, which is the gate's and goes on
//! when a policy is replaced.

use std::time::Duration;

use super::control::Mode;

/// So many in a window of time that ends now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// Most calls.
    pub calls: u32,
    /// In any so long a time.
    pub window: Duration,
}

impl Rate {
    /// Most calls of a rate, whose times are kept one by one.
    pub const MOST_CALLS: u32 = 10_000;
    /// The longest window.
    pub const LONGEST: Duration = Duration::from_hours(24);
}

/// What is counted together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Counted {
    /// All calls of a session.
    Session,
    /// All calls of a task; the word is its type.
    Task(String),
    /// The calls of a tool in a session; the word is its name.
    Tool(String),
}

/// Most of what a session, a task, or a tool in a session may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// What is counted together.
    pub counted: Counted,
    /// Calls that reach the tool, or ask a person.
    pub calls: Option<u64>,
    /// Calls in a window of time.
    pub rate: Option<Rate>,
    /// Bytes of canonical arguments, and of results as JSON before they are cut.
    pub bytes: Option<u64>,
    /// Time that tools ran.
    pub wall_time: Option<Duration>,
    /// How far it goes.
    pub mode: Mode,
}
