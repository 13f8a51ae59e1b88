//! The end of a process: no new calls, and a wait for those under way. What is still running after it
//! is named by the next start.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::watch;

use super::answer::Answer;
use super::{Gate, GateInner, Request, message};
use crate::call::{Code, Stage};

/// How many calls are under way, and whether more may come.
#[derive(Debug)]
pub(super) struct UnderWay {
    count: watch::Sender<usize>,
    closed: AtomicBool,
}

impl Default for UnderWay {
    fn default() -> Self {
        Self { count: watch::Sender::new(0), closed: AtomicBool::new(false) }
    }
}

/// One call under way, until it is dropped: also while a tool runs on after its timeout.
#[derive(Debug)]
pub(super) struct OnWay {
    count: watch::Sender<usize>,
}

impl Drop for OnWay {
    fn drop(&mut self) {
        self.count.send_modify(|count| *count = count.saturating_sub(1));
    }
}

impl UnderWay {
    pub(super) fn enter(&self) -> OnWay {
        self.count.send_modify(|count| *count += 1);
        OnWay { count: self.count.clone() }
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
        let mut count = under_way.count.subscribe();
        // Whether it ended or time was over, the count says.
        let _ = tokio::time::timeout(timeout, count.wait_for(|count| *count == 0)).await;
        *count.borrow()
    }
}
