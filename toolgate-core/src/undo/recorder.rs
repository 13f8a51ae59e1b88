//! What one running call replaces, on its way into the keep. A change that can't be kept is made all the same; its
//! call can't be undone then, and its record says so.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::keep::Keep;
use super::state::{Change, Facts, State, Step, UndoRecord};
use crate::clock::Clock;
use crate::gate::Faults;
use crate::resource::{Keeper, Was};

/// Keeps the steps of one call.
#[derive(Debug)]
pub(crate) struct Recorder {
    keep: Arc<Keep>,
    clock: Arc<dyn Clock>,
    faults: Option<Arc<dyn Faults>>,
    call_id: String,
    taken: Mutex<Taken>,
}

#[derive(Debug)]
struct Taken {
    /// Goes with the first step.
    facts: Option<Box<Facts>>,
    record: UndoRecord,
}

impl Recorder {
    pub(crate) fn new(
        keep: Arc<Keep>,
        clock: Arc<dyn Clock>,
        faults: Option<Arc<dyn Faults>>,
        call_id: String,
        facts: Facts,
    ) -> Self {
        let taken = Mutex::new(Taken { facts: Some(Box::new(facts)), record: UndoRecord::default() });
        Self { keep, clock, faults, call_id, taken }
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the record of the call says; `None` where nothing was changed.
    pub(crate) fn record(&self) -> Option<UndoRecord> {
        let record = self.taken().record.clone();
        (record != UndoRecord::default()).then_some(record)
    }

    /// One step at a time: their numbers have no gaps.
    fn put(&self, change: Change, before: &Was<'_>) {
        let mut taken = self.taken();
        if taken.record.not_possible.is_some() {
            // Nothing of it can be undone, so no more is kept.
            return;
        }
        let lost = [&change.before, &change.after].into_iter().find_map(|state| match state {
            State::Lost { why } => Some(why.clone()),
            _ => None,
        });
        let step = Step { v: 1, at_ms: self.clock.now_ms(), facts: taken.facts.clone(), change };
        match self.keep.put(&self.call_id, taken.record.steps, &step, before) {
            Ok(()) => {
                taken.facts = None;
                taken.record.steps = taken.record.steps.saturating_add(1);
                taken.record.not_possible = lost;
            }
            Err(error) => {
                tracing::error!(call_id = %self.call_id, %error, "what a call replaces could not be kept");
                taken.record.not_possible = Some(format!("what was replaced could not be kept: {error}"));
            }
        }
    }
}

impl Keeper for Recorder {
    fn limit(&self) -> u64 {
        self.keep.limit()
    }

    fn keep(&self, place: &str, before: &Was<'_>, after: &Was<'_>) {
        let change =
            Change { place: place.to_owned(), before: self.keep.state_of(before), after: self.keep.state_of(after) };
        self.put(change, before);
        if let Some(faults) = &self.faults {
            faults.kept(&self.call_id);
        }
    }
}
