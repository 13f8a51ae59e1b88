//! What the tasks of a session were told, by their names: a task that is opened a second time knows what it knew. Not
//! what is told, which is [`crate::taint`].

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Mutex, PoisonError};

use crate::taint::Taint;

/// Most tasks whose memory is kept; of older ones only whether they were tainted.
const MOST: usize = 64;

/// The tasks of one session.
#[derive(Debug, Default)]
pub(crate) struct Tasks {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    open: VecDeque<(String, Taint)>,
    tainted: BTreeSet<String>,
}

impl Tasks {
    /// What the task of this name was told; `may_have_past`, whether the ledger may know more of it.
    pub(super) fn open(&self, id: &str, may_have_past: bool) -> Taint {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, taint)) = known.open.iter().find(|(open, _)| open == id) {
            return taint.clone();
        }
        let taint = if may_have_past { Taint::reopened() } else { Taint::new() };
        if known.tainted.contains(id) {
            taint.was_tainted();
        }
        // One that somebody holds may still be told something.
        let oldest = known.open.iter().position(|(_, taint)| !taint.is_held_elsewhere());
        if known.open.len() >= MOST
            && let Some((oldest, before)) = oldest.and_then(|oldest| known.open.remove(oldest))
            && before.is_tainted()
        {
            known.tainted.insert(oldest);
        }
        known.open.push_back((id.to_owned(), taint.clone()));
        taint
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::taint::{Provenance, ResultOf};

    #[test]
    fn a_task_that_is_opened_again_knows_what_it_was_told() {
        let tasks = Tasks::default();
        let mail = ResultOf { call_id: "call_1".to_owned(), tool: "mail".to_owned() };
        tasks.open("a", false).gave(&mail, true, &json!("eve@e.example"), &[]);
        assert!(tasks.open("a", false).is_tainted());
        assert!(!tasks.open("b", false).is_tainted());
        for task in 0..MOST {
            tasks.open(&format!("task-{task}"), false);
        }
        let again = tasks.open("a", false);
        assert_eq!(again.origin(&json!("ann@a.example")).provenance, Provenance::Untrusted);
    }
}
