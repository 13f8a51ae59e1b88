//! The host's hold on a background call: by handle, from the task that made it or from the gate, and also after a
//! restart.

use std::fmt;
use std::time::Duration;

use tokio::sync::watch;

use super::cancel::CancelAnswer;
use super::known::{Asker, BackgroundStatus, asker};
use super::running::{Now, Progress};
use crate::call::ToolResult;
use crate::gate::Gate;
use crate::session::Task;
use crate::store::{CallFilter, CallRecord, StoreError};

/// A background call, by its handle.
#[derive(Clone)]
pub struct BackgroundCall {
    gate: Gate,
    /// For whom it is looked at; the operator where there is none.
    task: Option<Task>,
    handle: String,
}

impl fmt::Debug for BackgroundCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BackgroundCall").field("handle", &self.handle).finish_non_exhaustive()
    }
}

impl BackgroundCall {
    /// Its handle, which is the name of its record.
    pub fn handle(&self) -> &str {
        &self.handle
    }

    fn asker(&self) -> Asker<'_> {
        self.task.as_ref().map(|task| asker(&task.info.session))
    }

    /// How it is now; `None` where it is no longer in the store. A call that a dead process left is named by this.
    ///
    /// # Errors
    /// As the store says.
    pub async fn status(&self) -> Result<Option<BackgroundStatus>, StoreError> {
        let known = self.gate.inner.known(&self.handle, self.asker()).await?;
        Ok(known.map(|known| known.status))
    }

    /// What its tool said last of its progress; `None` where it has said nothing, or doesn't run in this process.
    pub fn progress(&self) -> Option<Progress> {
        self.gate.inner.background.live(&self.handle)?.now.borrow().progress.clone()
    }

    /// What its tool says from now on; `None` where it doesn't run in this process.
    pub fn updates(&self) -> Option<ProgressUpdates> {
        let live = self.gate.inner.background.live(&self.handle)?;
        Some(ProgressUpdates { now: live.now.subscribe(), last: None })
    }

    /// Cancels it: its tool is told, and where it doesn't end soon, nobody waits for it any more. `by` is the person
    /// or the program that wants it; recorded, with the time.
    ///
    /// # Errors
    /// As the store says. Where only the record of it fails, the call is cancelled all the same.
    pub async fn cancel(&self, by: &str) -> Result<CancelAnswer, StoreError> {
        self.gate.inner.cancel_background(&self.handle, self.asker(), (by, "host")).await
    }

    /// Its answer, once it has one: as [`Task::wait_for`]. `None` where it has none in time.
    pub async fn result(&self, timeout: Duration) -> Option<ToolResult> {
        self.gate.wait_in(self.task.as_ref(), &self.handle, timeout).await
    }
}

/// What a tool says of its progress, as it says it; what comes faster than it is heard is left out.
#[derive(Debug)]
pub struct ProgressUpdates {
    now: watch::Receiver<Now>,
    last: Option<Progress>,
}

impl ProgressUpdates {
    /// The next word of it; `None` when the call has ended.
    pub async fn next(&mut self) -> Option<Progress> {
        loop {
            let now = self.now.borrow_and_update().clone();
            if now.progress.is_some() && now.progress != self.last {
                self.last.clone_from(&now.progress);
                return now.progress;
            }
            if now.ended || self.now.changed().await.is_err() {
                return None;
            }
        }
    }
}

impl Gate {
    /// The background call of that handle, of any session of this gate's tenant: for an operator. Its result, seen this
    /// way, is not part of what a task was told.
    ///
    /// # Errors
    /// As the store says.
    pub async fn background(&self, handle: &str) -> Result<Option<BackgroundCall>, StoreError> {
        let found = self.inner.behind(handle, None).await?;
        Ok(found.map(|call| BackgroundCall { gate: self.clone(), task: None, handle: call.call_id }))
    }
}

impl Task {
    /// The background calls of this task, newest first, also those that have ended.
    ///
    /// # Errors
    /// As the store says.
    pub async fn background(&self) -> Result<Vec<BackgroundCall>, StoreError> {
        let (session, id) = (&self.info.session, &self.info.id);
        let filter = CallFilter { session: Some(session.id.clone()), task: Some(id.clone()), ..CallFilter::default() };
        let calls = self.gate.inner.store.calls(&filter).await?;
        let mine = |call: &CallRecord| {
            call.background && call.tenant == self.gate.inner.tenant && call.principal == session.principal
        };
        let calls = calls.into_iter().filter(mine);
        Ok(calls.map(|call| self.of_handle(call.call_id)).collect())
    }

    /// The background call of that handle; `None` where there is none in this session.
    ///
    /// # Errors
    /// As the store says.
    pub async fn background_call(&self, handle: &str) -> Result<Option<BackgroundCall>, StoreError> {
        let found = self.gate.inner.behind(handle, Some(asker(&self.info.session))).await?;
        Ok(found.map(|call| self.of_handle(call.call_id)))
    }

    fn of_handle(&self, handle: String) -> BackgroundCall {
        BackgroundCall { gate: self.gate.clone(), task: Some(self.clone()), handle }
    }
}
