//! The end of a process: no new calls, and a wait for those under way. What is still running after it
//! is named by the next start.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;

use super::answer::Answer;
use super::{Gate, GateInner, Request, message};
use crate::call::{Code, Stage};

/// How many calls are under way, and whether more may come.
#[derive(Debug, Default)]
pub(super) struct UnderWay {
    count: Arc<Count>,
    closed: AtomicBool,
}

#[derive(Debug, Default)]
struct Count {
    calls: AtomicUsize,
    /// Told when there are none.
    none: Notify,
}

/// One call under way, until it is dropped: also while a tool runs on after its timeout.
#[derive(Debug)]
pub(super) struct OnWay {
    count: Arc<Count>,
}

impl Drop for OnWay {
    fn drop(&mut self) {
        if self.count.calls.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.count.none.notify_waiters();
        }
    }
}

impl UnderWay {
    pub(super) fn enter(&self) -> OnWay {
        self.count.calls.fetch_add(1, Ordering::SeqCst);
        OnWay { count: Arc::clone(&self.count) }
    }

    /// Whether there are any.
    pub(super) fn is_some(&self) -> bool {
        self.count.calls.load(Ordering::SeqCst) > 0
    }

    async fn none(&self) {
        loop {
            // Listens before it looks, so that the last call can't end in between.
            let mut told = pin!(self.count.none.notified());
            told.as_mut().enable();
            if self.count.calls.load(Ordering::SeqCst) == 0 {
                return;
            }
            told.await;
        }
    }
}

impl GateInner {
    /// Refuses what comes after [`Gate::drain`].
    /// A call that a tool makes belongs to one that is under way.
    pub(super) fn admit(&self, request: &Request) -> Result<(), Answer> {
        if request.within.is_some() || !self.under_way.closed.load(Ordering::SeqCst) {
            return Ok(());
        }
        Err(Answer::refuse(Code::Cancelled, Stage::Parse, "gate.draining", message::DRAINING).retryable())
    }
}

impl Gate {
    /// Refuses new calls with `CANCELLED` from now on, and waits for those under way, also for tools
    /// that run on after their timeout. Returns how many were still under way when the time was over.
    pub async fn drain(&self, timeout: Duration) -> usize {
        let under_way = &self.inner.under_way;
        under_way.closed.store(true, Ordering::SeqCst);
        // Whether it ended or time was over, the count says.
        let _ = tokio::time::timeout(timeout, under_way.none()).await;
        under_way.count.calls.load(Ordering::SeqCst)
    }
}
