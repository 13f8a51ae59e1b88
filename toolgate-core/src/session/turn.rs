//! The turns of a task: counted, or named where the host has names. Not what is made of them, which is
//! the scope of keys.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The turns of one task, shared by all that narrow it.
#[derive(Debug, Clone)]
pub(super) struct Turns {
    turn: Arc<Mutex<Turn>>,
}

/// One request of the user: counted, and named where the host has a name for it.
#[derive(Debug)]
struct Turn {
    /// The last one that was before this task was opened; `None` until the ledger was asked.
    past: Option<u64>,
    /// Turns since then.
    since: u64,
    name: Option<String>,
}

impl Turns {
    /// The turns of a task; of one that may have been open before, the ledger knows how far they were.
    pub(super) fn new(may_have_past: bool) -> Self {
        let past = if may_have_past { None } else { Some(0) };
        Self { turn: Arc::new(Mutex::new(Turn { past, since: 0, name: None })) }
    }

    fn turn(&self) -> MutexGuard<'_, Turn> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of the turn, or its name after a `=`.
    pub(super) fn word(&self) -> String {
        let turn = self.turn();
        match &turn.name {
            Some(name) => format!("={name}"),
            None => turn.past.unwrap_or_default().saturating_add(turn.since).to_string(),
        }
    }

    pub(super) fn begin(&self) {
        let mut turn = self.turn();
        turn.since = turn.since.saturating_add(1);
        turn.name = None;
    }

    pub(super) fn begin_named(&self, name: String) {
        self.turn().name = Some(name);
    }

    /// Whether the ledger must be asked before the turn has a number.
    pub(super) fn needs_past(&self) -> bool {
        let turn = self.turn();
        turn.past.is_none() && turn.name.is_none()
    }

    /// The ledger's answer; a later one changes nothing.
    pub(super) fn goes_on_after(&self, past: u64) {
        self.turn().past.get_or_insert(past);
    }
}
