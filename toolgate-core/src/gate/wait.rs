//! For a host that wants the answer of a call which runs elsewhere, instead of a refused duplicate:
//! asks the ledger until it has one.

use std::time::Duration;

use super::resume::unbooked;
use super::{Gate, GateInner};
use crate::call::ToolResult;
use crate::ledger::{CallState, KeyState};
use crate::session::Task;
use crate::store::{CallRecord, StoreError};

/// Waits between two looks: doubled from the first to the last.
const FIRST: Duration = Duration::from_millis(10);
const LAST: Duration = Duration::from_millis(500);

impl Gate {
    pub(crate) async fn wait_for(&self, task: &Task, call_id: &str, timeout: Duration) -> Option<ToolResult> {
        self.wait_in(Some(task), call_id, timeout).await
    }

    /// As [`Self::wait_for`]; of any session where no task asks.
    pub(super) async fn wait_in(&self, task: Option<&Task>, call_id: &str, timeout: Duration) -> Option<ToolResult> {
        let look = async {
            let mut wait = FIRST;
            loop {
                match self.look_for(task, call_id).await {
                    Ok(None) => {}
                    Ok(Some(found)) => return found,
                    Err(error) => {
                        tracing::warn!(%call_id, %error, "the ledger can't be asked for a call that is waited for");
                    }
                }
                self.inner.wait_a_little(call_id, wait).await;
                wait = (wait * 2).min(LAST);
            }
        };
        tokio::time::timeout(timeout, look).await.ok().flatten()
    }

    /// The recorded answer; `Some(None)` for a call that isn't there, `None` for one that runs.
    async fn look_for(&self, task: Option<&Task>, call_id: &str) -> Result<Option<Option<ToolResult>>, StoreError> {
        let story = self.inner.store.call(call_id).await?;
        // A call of another session, agent or tenant is like one that doesn't exist.
        let mine = |record: &CallRecord| {
            let asks = task.map(|task| &task.info.session);
            record.tenant == self.inner.tenant
                && asks.is_none_or(|asks| (&record.session, &record.principal) == (&asks.id, &asks.principal))
        };
        let Some(record) = story.map(|story| story.record).filter(mine) else {
            return Ok(Some(None));
        };
        if record.background {
            self.inner.name_lost(&record).await?;
        }
        let record = match self.inner.answering(&record.call_id).await {
            Ok(Some(record)) => record,
            Ok(None) => return Ok(Some(None)),
            Err(answer) => return Ok(Some(Some(unbooked(record.call_id, answer)))),
        };
        let Some(tool) = self.inner.tools.get(&record.tool) else {
            return Ok(Some(None));
        };
        if self.inner.runs(&record).await? {
            return Ok(None);
        }
        let answer = match self.inner.kept_result(&record).await {
            Ok(kept) => self.inner.recorded(&record, kept, tool.spec, false),
            Err(answer) => answer,
        };
        if let Some(task) = task {
            self.inner.heard_again(&task.info, &record, &answer);
        }
        Ok(Some(Some(unbooked(record.call_id, self.inner.masked(answer)))))
    }
}

impl GateInner {
    /// Whether it has no answer yet, or has one and its tool still runs.
    pub(super) async fn runs(&self, record: &CallRecord) -> Result<bool, StoreError> {
        let state = CallState::parse(&record.state);
        if state != Some(CallState::TimedOut) {
            return Ok(!state.is_some_and(CallState::is_terminal));
        }
        let Some(key) = &record.key else {
            return Ok(false);
        };
        let recalled = self.store.recall(std::slice::from_ref(key), &record.session).await?;
        let running = |key: &crate::store::KeyRecord| key.state == KeyState::Running && key.call_id == record.call_id;
        Ok(recalled.keys.iter().flatten().any(running))
    }
}
