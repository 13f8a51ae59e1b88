//! What a session was before it is opened again: whose, and how far its turns were counted. Looked up,
//! never written by itself.

use super::record::CallRecord;

/// Whose session it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// The agent.
    pub principal: String,
    /// On whose behalf.
    pub user: Option<String>,
}

/// What the calls of a session say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Past {
    /// Who made the first call in the session; `None` where there was none.
    pub holder: Option<Holder>,
    /// The highest number of a counted turn of the task, among the 200 calls in counted turns that were
    /// made last.
    pub turn: Option<u64>,
    /// Whether one of the 200 calls of the task that were made last was made in a tainted task, or gave something
    /// untrusted.
    pub tainted: bool,
}

impl Past {
    /// How many calls are looked at for the turn.
    pub const CALLS: usize = 200;

    /// Of the calls of one session, newest first.
    pub fn of<'c>(calls: impl IntoIterator<Item = &'c CallRecord>, task: &str) -> Self {
        let mut past = Self::default();
        let (mut seen, mut looked_at) = (0, 0);
        for call in calls {
            past.holder = Some(Holder { principal: call.principal.clone(), user: call.user.clone() });
            if call.task == task && looked_at < Self::CALLS {
                looked_at += 1;
                past.tainted |= call.tainted || call.untrusted;
            }
            if call.task == task && call.turn.is_some() && seen < Self::CALLS {
                seen += 1;
                past.turn = past.turn.max(call.turn);
            }
        }
        past
    }
}
