//! Stops: what refuses effectful calls until a person lets them go on.

use super::record::Millis;

/// How far an abort reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReach {
    /// One tool in one task (`abort`).
    Tool,
    /// The task and every other task of its session (`abort_and_alert`).
    Session,
}

/// Effectful calls are refused until a person resumes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    /// Position, given by the store.
    pub id: u64,
    /// The session.
    pub session: String,
    /// The task in which it happened.
    pub task: String,
    /// The tool that failed.
    pub tool: String,
    /// How far it reaches.
    pub reach: StopReach,
    /// The call that failed.
    pub call_id: String,
    /// When.
    pub at_ms: Millis,
    /// Who resumed it, and when.
    pub resumed: Option<(String, Millis)>,
}

impl Stop {
    /// Whether it refuses an effectful call of this tool in this task.
    pub fn refuses(&self, session: &str, task: &str, tool: &str) -> bool {
        self.resumed.is_none()
            && self.session == session
            && match self.reach {
                StopReach::Session => true,
                StopReach::Tool => self.task == task && self.tool == tool,
            }
    }
}
