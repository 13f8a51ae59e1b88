//! What is known of a background call by its handle, from the ledger and, where it runs here, from the run: also
//! after a restart and in another process.

use std::time::Duration;

use super::running::{Now, Progress};
use crate::call::Code;
use crate::gate::GateInner;
use crate::gate::stored::{Sealed, open_result};
use crate::ledger::CallState;
use crate::session::SessionInfo;
use crate::store::{CallRecord, Millis, StoreError, StoreFault};
use crate::tool::Effect;

/// Where a background call stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BackgroundState {
    /// Its tool runs.
    Running,
    /// A call that stands in for it, its fallback, waits for a person.
    AwaitsPerson,
    /// There is its result.
    Succeeded,
    /// It failed.
    Failed,
    /// It took longer than its tool allows.
    TimedOut,
    /// It was cancelled.
    Cancelled,
    /// The process that ran it ended without a record: it may or may not have happened.
    InDoubt,
}

impl BackgroundState {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::AwaitsPerson => "awaits_person",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::TimedOut => "timed_out",
            Self::Cancelled => "cancelled",
            Self::InDoubt => "in_doubt",
        }
    }
}

impl std::fmt::Display for BackgroundState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A background call as it is now.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BackgroundStatus {
    /// Its handle, which is the name of its record.
    pub handle: String,
    /// Its tool.
    pub tool: String,
    /// Its task.
    pub task: String,
    /// Where it stands.
    pub state: BackgroundState,
    /// Whether the tool still runs, also after the call was given up.
    pub is_running: bool,
    /// Whether it runs in this process, which alone can cancel it.
    pub is_here: bool,
    /// Whether it was cancelled, and has not ended yet.
    pub cancel_asked: bool,
    /// Runs of the tool so far, as far as they are recorded.
    pub attempts: u32,
    /// When the tool was entered.
    pub started_ms: Option<Millis>,
    /// When the call ended.
    pub finished_ms: Option<Millis>,
    /// What the tool said last of its progress, where it runs in this process.
    pub progress: Option<Progress>,
    /// What became of the world.
    pub effect: Effect,
    /// The code of its record; `None` while it runs.
    pub code: Option<Code>,
    /// What the model is told of its end.
    pub message: String,
}

/// What stands behind a handle.
pub(in crate::gate) struct Known {
    pub(super) status: BackgroundStatus,
    /// The call that answers: the one of the handle, or the fallback of it.
    pub(super) record: CallRecord,
    pub(super) kept: Option<Sealed>,
}

/// Who asks; everybody of the tenant where there is no session.
pub(super) type Asker<'a> = Option<(&'a str, &'a str)>;

pub(super) fn asker(session: &SessionInfo) -> (&str, &str) {
    (&session.id, &session.principal)
}

impl GateInner {
    /// The background call behind a handle; `None` where there is none, or it is another session's, agent's or
    /// tenant's.
    pub(super) async fn behind(&self, handle: &str, asker: Asker<'_>) -> Result<Option<CallRecord>, StoreError> {
        let found = self.store.call(handle).await?.map(|story| story.record);
        let mine = |call: &CallRecord| {
            let of = (call.session.as_str(), call.principal.as_str());
            call.background && call.tenant == self.tenant && asker.is_none_or(|asker| asker == of)
        };
        Ok(found.filter(mine))
    }

    /// All that is known of it.
    pub(super) async fn known(&self, handle: &str, asker: Asker<'_>) -> Result<Option<Known>, StoreError> {
        let Some(first) = self.behind(handle, asker).await? else {
            return Ok(None);
        };
        let first = self.named(first).await?;
        let by = match first.answered_by.as_deref() {
            Some(by) => self.store.call(by).await?.map(|story| story.record),
            None => None,
        };
        let record = match by {
            Some(by) => self.named(by).await?,
            None => first.clone(),
        };
        let stored = self.store.result(&record.call_id).await?;
        let kept = stored.map(|stored| open_result(&self.key, &stored)).transpose();
        let kept = kept.map_err(|error| StoreError::new(StoreFault::Corrupt, error.to_string()))?;
        let live = self.background.live(&first.call_id).or_else(|| self.background.live(&record.call_id));
        let now = live.as_ref().map(|live| live.now.borrow().clone());
        let is_running = self.runs(&record).await?;
        let status = status(first.call_id, &record, kept.as_ref(), now, is_running);
        Ok(Some(Known { status, record, kept }))
    }

    /// The record; one that a dead process left running is named first.
    pub(super) async fn named(&self, record: CallRecord) -> Result<CallRecord, StoreError> {
        if !self.name_lost(&record).await? {
            return Ok(record);
        }
        Ok(self.store.call(&record.call_id).await?.map_or(record, |story| story.record))
    }

    /// Names what dead processes left, where this may be of it. Says whether it looked.
    pub(in crate::gate) async fn name_lost(&self, record: &CallRecord) -> Result<bool, StoreError> {
        let runs = record.state == CallState::Running.as_str();
        if !runs || self.background.live(&record.call_id).is_some() {
            return Ok(false);
        }
        self.name_dead().await.map(|_| true)
    }

    /// Waits until a call that runs here has ended, and no longer than that; looks again later where it runs
    /// elsewhere.
    pub(in crate::gate) async fn wait_a_little(&self, call_id: &str, at_most: Duration) {
        match self.background.live(call_id) {
            Some(live) => live.ended().await,
            None => tokio::time::sleep(at_most).await,
        }
    }
}

fn status(
    handle: String,
    record: &CallRecord,
    kept: Option<&Sealed>,
    now: Option<Now>,
    is_running: bool,
) -> BackgroundStatus {
    let is_here = now.is_some();
    let now = now.unwrap_or_default();
    let state = state(record, kept);
    let has_ended = !matches!(state, BackgroundState::Running | BackgroundState::AwaitsPerson);
    BackgroundStatus {
        handle,
        tool: record.tool.clone(),
        task: record.task.clone(),
        state,
        is_running,
        is_here,
        cancel_asked: now.cancel && !has_ended,
        attempts: record.attempts,
        started_ms: record.started_ms,
        finished_ms: record.finished_ms,
        progress: now.progress,
        effect: match Effect::parse(&record.effect) {
            Some(effect) => effect,
            None if record.risk.as_deref() == Some("read") => Effect::None,
            None => Effect::Unknown,
        },
        code: Code::parse(&record.code),
        message: kept.and_then(|kept| kept.error.clone()).unwrap_or_else(|| record.message.clone()),
    }
}

fn state(record: &CallRecord, kept: Option<&Sealed>) -> BackgroundState {
    match CallState::parse(&record.state) {
        Some(CallState::Succeeded) => return BackgroundState::Succeeded,
        Some(CallState::AwaitingConfirmation) => return BackgroundState::AwaitsPerson,
        Some(state) if !state.is_terminal() => return BackgroundState::Running,
        _ => {}
    }
    match (kept, Code::parse(&record.code)) {
        // The result came after the call was given up.
        (Some(Sealed { error: None, .. }), _) => BackgroundState::Succeeded,
        (Some(_), _) => BackgroundState::Failed,
        (None, Some(Code::Timeout)) => BackgroundState::TimedOut,
        (None, Some(Code::Cancelled)) => BackgroundState::Cancelled,
        (None, Some(Code::OutcomeUnknown)) => BackgroundState::InDoubt,
        (None, _) => BackgroundState::Failed,
    }
}
