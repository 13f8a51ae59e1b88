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
use crate::session::TaskInfo;

/// How long the records of calls that are given up may take beyond the grace.
const RECORDING: Duration = Duration::from_secs(5);

/// How many calls are under way, and whether more may come.
#[derive(Debug, Default)]
pub(super) struct UnderWay {
    count: Arc<Count>,
    /// Those that are not answered yet.
    unanswered: Arc<Count>,
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
        OnWay::of(&self.count)
    }

    /// Whether there are any.
    pub(super) fn is_some(&self) -> bool {
        self.count.calls.load(Ordering::SeqCst) > 0
    }

    /// A call that waits for its answer, until that is dropped.
    pub(super) fn unanswered(&self) -> OnWay {
        OnWay::of(&self.unanswered)
    }
}

impl OnWay {
    fn of(count: &Arc<Count>) -> Self {
        count.calls.fetch_add(1, Ordering::SeqCst);
        Self { count: Arc::clone(count) }
    }
}

impl Count {
    async fn none(&self) {
        loop {
            // Listens before it looks, so that the last call can't end in between.
            let mut told = pin!(self.none.notified());
            told.as_mut().enable();
            if self.calls.load(Ordering::SeqCst) == 0 {
                return;
            }
            told.await;
        }
    }
}

impl GateInner {
    /// Refuses what comes after [`Gate::drain`], and after the end of its task.
    /// A call that a tool makes belongs to one that is under way.
    pub(super) fn admit(&self, task: &TaskInfo, request: &Request) -> Result<(), Answer> {
        if request.within.is_none() && task.given_up.is_told() {
            return Err(Answer::refuse(Code::Cancelled, Stage::Parse, "task.cancelled", message::CANCELLED_TASK));
        }
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
        let _ = tokio::time::timeout(timeout, under_way.count.none()).await;
        under_way.count.calls.load(Ordering::SeqCst)
    }

    /// The end of this gate: as [`Gate::drain`], and what is still under way after `patience` is cancelled. Tools
    /// hear of it by [`Context::cancelled`](crate::tool::Context::cancelled) and have the grace of
    /// [`GateBuilder::grace`](super::GateBuilder::grace) to end; what goes on then is recorded as detached. Returns
    /// how many tools still run: when the process ends now, the next start names them.
    pub async fn shut_down(&self, patience: Duration) -> usize {
        let left = self.drain(patience).await;
        if left == 0 {
            return 0;
        }
        let inner = &self.inner;
        inner.given_up.tell();
        let ends = inner.grace.saturating_add(RECORDING);
        if tokio::time::timeout(ends, inner.under_way.unanswered.none()).await.is_err() {
            tracing::error!("calls could not be recorded before the end of the gate");
        }
        let left = inner.under_way.count.calls.load(Ordering::SeqCst);
        tracing::warn!(left, "tools still run at the end of the gate");
        left
    }

    /// Waits for SIGTERM, by which service managers and containers end a process, then does as
    /// [`Gate::shut_down`]. One line beside the agent's own work:
    ///
    /// ```
    /// # use std::time::Duration;
    /// # async fn serve() {}
    /// # async fn main_of(gate: toolgate_core::gate::Gate) -> std::io::Result<()> {
    /// tokio::select! {
    ///     () = serve() => {}
    ///     left = gate.drain_on_sigterm(Duration::from_secs(20)) => eprintln!("{} tools still run", left?),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Call it before the first call of a tool: until then the signal ends the process at once.
    ///
    /// # Errors
    /// When the signal can't be listened to.
    #[cfg(all(unix, feature = "signal"))]
    pub async fn drain_on_sigterm(&self, patience: Duration) -> std::io::Result<usize> {
        let mut ends = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
        ends.recv().await;
        Ok(self.shut_down(patience).await)
    }
}
