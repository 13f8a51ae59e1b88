//! Undoing calls: one, or those of a task. An undoing is a call of its own, with its own record, approval and key.
//! Not what is kept, which is `undo`'s, and not the stages, whose part in it is in `undoing`.

use std::path::PathBuf;

use super::put_back::Planned;
use super::resume::unbooked;
use super::undoing::no_such_call;
use super::{Gate, GateInner, Request};
use crate::call::ToolResult;
use crate::ledger::KeyState;
use crate::session::Task;
use crate::spec::Risk;
use crate::store::{CallFilter, CallRecord, StoreError};
use crate::undo::State;

/// What the undoing of a task came to.
#[derive(Debug)]
#[must_use = "it says what was undone and what wasn't"]
pub struct UndoneTask {
    /// Calls that were undone, newest first, with the answer of each undoing.
    pub undone: Vec<(String, ToolResult)>,
    /// The call at which it stopped, and why.
    pub stopped: Option<(String, ToolResult)>,
    /// Older calls that were not looked at, newest first.
    pub left: Vec<String>,
}

/// What an undoing would do to one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndoChange {
    /// The path, relative to the workspace.
    pub path: String,
    /// `put back`, `brought back` or `removed`.
    pub word: &'static str,
    /// Bytes of the file that is there now; `None` for what is no file.
    pub bytes_now: Option<u64>,
    /// Bytes of the file that will be there; `None` for what is no file.
    pub bytes_then: Option<u64>,
}

impl From<&Planned> for UndoChange {
    fn from(planned: &Planned) -> Self {
        let bytes = |state: &State| match state {
            State::File { size, .. } => Some(*size),
            _ => None,
        };
        let (bytes_now, bytes_then) = (bytes(&planned.now), bytes(&planned.then));
        Self { path: planned.path.clone(), word: planned.word(), bytes_now, bytes_then }
    }
}

impl Gate {
    /// Undoes a call of this gate's tenant, for an operator: as a call of its own, in the operator's task, within what
    /// that may do. [`Task::undo`] undoes only calls of its own task.
    pub async fn undo(&self, task: &Task, call_id: &str) -> ToolResult {
        self.undo_where(task, call_id, |_| true).await
    }

    pub(crate) async fn undo_own(&self, task: &Task, call_id: &str) -> ToolResult {
        self.undo_where(task, call_id, |record| is_own(task, record)).await
    }

    async fn undo_where(&self, task: &Task, call_id: &str, may: impl Fn(&CallRecord) -> bool) -> ToolResult {
        match self.inner.call_to_undo(call_id, may).await {
            Ok(Some(record)) => self.request(task, Request::undo(&record)).await,
            Ok(None) => unbooked(String::new(), no_such_call(call_id)),
            Err(error) => unbooked(String::new(), super::recall::unavailable(&error)),
        }
    }

    /// What [`Gate::undo`] would do now, without doing or recording anything.
    ///
    /// # Errors
    /// The refusal, as the answer of an undoing.
    pub async fn plan_undo(&self, task: &Task, call_id: &str) -> Result<Vec<UndoChange>, Box<ToolResult>> {
        let planned = match self.inner.call_to_undo(call_id, |_| true).await {
            Ok(Some(_)) => self.inner.plan_undo(&task.info, call_id).await,
            Ok(None) => Err(no_such_call(call_id)),
            Err(error) => Err(super::recall::unavailable(&error)),
        };
        planned
            .map(|planned| planned.iter().map(UndoChange::from).collect())
            .map_err(|answer| Box::new(unbooked(String::new(), answer)))
    }

    /// The calls of a task whose changes stand, newest first: what [`Gate::undo_task`] would undo, in that order.
    ///
    /// # Errors
    /// As the store says.
    pub async fn standing_calls(&self, session: &str, task: &str) -> Result<Vec<String>, StoreError> {
        self.inner.in_effect(session, task).await
    }

    /// The folder that the host opened as the workspace of a call, where something is kept for undoing that call.
    pub fn workspace_of(&self, call_id: &str) -> Option<PathBuf> {
        let kept = self.inner.keep.call(call_id).ok()??;
        kept.facts.root.map(PathBuf::from)
    }

    /// Undoes the calls of a task that changed something, newest first, up to the first that can't be. `within` is
    /// the operator's task.
    ///
    /// # Errors
    /// As the store says, before anything is undone.
    pub async fn undo_task(&self, within: &Task, session: &str, task: &str) -> Result<UndoneTask, StoreError> {
        let mut calls = self.inner.in_effect(session, task).await?.into_iter();
        let (mut undone, mut stopped) = (Vec::new(), None);
        for call in calls.by_ref() {
            let result = self.undo(within, &call).await;
            if result.ok {
                undone.push((call, result));
            } else {
                stopped = Some((call, result));
                break;
            }
        }
        Ok(UndoneTask { undone, stopped, left: calls.collect() })
    }
}

fn is_own(task: &Task, record: &CallRecord) -> bool {
    let session = &task.info.session;
    (&record.session, &record.task) == (&session.id, &task.info.id)
        && (&record.principal, &record.user) == (&session.principal, &session.user)
}

impl GateInner {
    async fn call_to_undo(
        &self,
        call_id: &str,
        may: impl Fn(&CallRecord) -> bool,
    ) -> Result<Option<CallRecord>, StoreError> {
        let story = self.store.call(call_id).await?;
        Ok(story.map(|story| story.record).filter(|record| record.tenant == self.tenant && may(record)))
    }

    /// Calls of a task whose changes stand, newest first: not those that were undone, but the undoing of an undoing.
    async fn in_effect(&self, session: &str, task: &str) -> Result<Vec<String>, StoreError> {
        let filter =
            CallFilter { session: Some(session.to_owned()), task: Some(task.to_owned()), ..CallFilter::default() };
        let mut standing = Vec::new();
        for record in self.store.calls(&filter).await? {
            let changes = record.risk.as_deref().and_then(Risk::parse).is_some_and(Risk::is_effectful);
            let own = record.tenant == self.tenant && record.undo_of.is_none() && record.replay_of.is_none();
            if !changes || !own || record.started_ms.is_none() || record.effect == "none" {
                continue;
            }
            if let Some(call) = self.standing(record).await? {
                standing.push(call);
            }
        }
        Ok(standing)
    }

    /// The call itself, or the last undoing of its undoing; `None` where it is undone.
    async fn standing(&self, first: CallRecord) -> Result<Option<String>, StoreError> {
        let (mut at, mut stands) = (first, true);
        while let Some(by) = self.undone_by(&at).await? {
            let Some(story) = self.store.call(&by).await? else { break };
            at = story.record;
            stands = !stands;
        }
        Ok(stands.then_some(at.call_id))
    }

    /// The call that has undone this one, where one has.
    async fn undone_by(&self, record: &CallRecord) -> Result<Option<String>, StoreError> {
        let key = self.undo_claim_of(record).key;
        let recalled = self.store.recall(&[key], &record.bound_session()).await?;
        let key = recalled.keys.into_iter().flatten().find(|key| key.state == KeyState::Succeeded);
        Ok(key.map(|key| key.call_id))
    }
}
