//! One call that runs in the background in this process: its place, what its tool says of its progress, and
//! whether it is to end. Not its record, which says what became of it.

use std::future::pending;
use std::sync::Arc;

use tokio::sync::watch;

use super::{Running, register};
use crate::clock::Clock;
use crate::gate::drain::OnWay;
use crate::gate::trail::cut;
use crate::store::Millis;
use crate::tool::ProgressSink;

/// Most characters of what a tool says of its progress that are kept.
const NOTE: usize = 300;

/// What a running tool said last of its progress, without known secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Units that are done.
    pub done: u64,
    /// Units in all, where that is known.
    pub total: Option<u64>,
    /// A short text; at most 300 characters.
    pub note: String,
    /// When it was said.
    pub at_ms: Millis,
}

impl Progress {
    /// From 0 to 1, where the whole is known.
    #[expect(clippy::cast_precision_loss, reason = "a fraction of so many units is shown with fewer digits")]
    pub fn fraction(&self) -> Option<f64> {
        let total = self.total.filter(|total| *total > 0)?;
        Some((self.done as f64 / total as f64).min(1.0))
    }
}

/// A call as it is now.
#[derive(Debug, Clone, Default)]
pub(super) struct Now {
    pub(super) progress: Option<Progress>,
    pub(super) cancel: bool,
    pub(super) ended: bool,
}

#[derive(Debug, Default)]
pub(super) struct Live {
    pub(super) now: watch::Sender<Now>,
}

impl Live {
    /// Its tool is told that nobody waits any more.
    pub(super) fn cancel(&self) {
        self.now.send_modify(|now| now.cancel = true);
    }

    /// Ends with the call.
    pub(super) async fn ended(&self) {
        // The sender lives as long as `self`.
        let _ = self.now.subscribe().wait_for(|now| now.ended).await;
    }
}

/// A place among the calls in the background. Whoever waits for the call hears of its end when it is dropped.
#[derive(Debug)]
pub(in crate::gate) struct Slot {
    running: Running,
    session: String,
    call_id: Option<String>,
    live: Arc<Live>,
    /// It counts as unanswered until its end is recorded, for a gate that shuts down.
    unrecorded: Option<OnWay>,
}

impl Slot {
    pub(super) fn new(running: Running, session: &str) -> Self {
        Self { running, session: session.to_owned(), call_id: None, live: Arc::default(), unrecorded: None }
    }

    /// From now on it can be asked for by its handle.
    pub(in crate::gate) fn name(&mut self, call_id: &str, unrecorded: OnWay) {
        self.unrecorded = Some(unrecorded);
        register(&self.running).calls.insert(call_id.to_owned(), Arc::clone(&self.live));
        self.call_id = Some(call_id.to_owned());
    }

    /// Its end is recorded, though its tool may go on.
    pub(in crate::gate) fn recorded(&mut self) {
        self.unrecorded = None;
    }

    pub(in crate::gate) fn is_cancelled(&self) -> bool {
        self.live.now.borrow().cancel
    }

    /// Keeps what the tool says of its progress, and tells it to who else listens.
    pub(in crate::gate) fn listener(
        &self,
        clock: Arc<dyn Clock>,
        next: Option<Arc<dyn ProgressSink>>,
    ) -> Arc<dyn ProgressSink> {
        Arc::new(Keeps { live: Arc::clone(&self.live), clock, next })
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut register = register(&self.running);
        register.all = register.all.saturating_sub(1);
        if let Some(own) = register.sessions.get_mut(&self.session) {
            *own = own.saturating_sub(1);
            if *own == 0 {
                register.sessions.remove(&self.session);
            }
        }
        if let Some(call_id) = &self.call_id {
            register.calls.remove(call_id);
        }
        drop(register);
        self.live.now.send_modify(|now| now.ended = true);
    }
}

/// Ends when the call is cancelled; never for one that isn't in the background.
pub(in crate::gate) async fn cancelled(slot: Option<&Slot>) {
    match slot {
        // The sender lives as long as the slot.
        Some(slot) => drop(slot.live.now.subscribe().wait_for(|now| now.cancel).await),
        None => pending().await,
    }
}

struct Keeps {
    live: Arc<Live>,
    clock: Arc<dyn Clock>,
    next: Option<Arc<dyn ProgressSink>>,
}

impl ProgressSink for Keeps {
    fn progress(&self, call_id: &str, done: u64, total: Option<u64>, note: &str) {
        let progress = Progress { done, total, note: cut(note, NOTE), at_ms: self.clock.now_ms() };
        self.live.now.send_modify(|now| now.progress = Some(progress));
        if let Some(next) = &self.next {
            next.progress(call_id, done, total, note);
        }
    }
}
