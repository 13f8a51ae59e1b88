//! What comes too late: results after a timeout, outcomes of runs that no longer own their key, and
//! transactions A whose answer was lost. Truth is welcome late; nothing is overwritten by it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::json;

use super::GateInner;
use super::audit::Unwritten;
use super::claim::Entry;
use super::run_end::RunEnd;
use super::trail::Trail;
use crate::alert::Alert;
use crate::call::{Code, Stage};
use crate::ledger::{CallEvent, CallState, Ending, KeyState};
use crate::session::Task;
use crate::store::{
    BEGUN_BY, CallRecord, Claim, Event, KeyRecord, Millis, Record, Settle, StopReach, StoreError, StoreFault, Write,
    write_one,
};
use crate::tool::Effect;

/// Most transactions A in doubt that are remembered; a store that is down for long has taken none.
const MOST_UNSURE: usize = 1_000;

/// Transactions A that were answered with an error and may have been taken all the same.
#[derive(Debug, Default)]
pub(super) struct Unsure {
    begun: Mutex<Vec<Unknown>>,
}

/// One of them.
#[derive(Debug)]
pub(super) struct Unknown {
    pub(super) call: Arc<CallRecord>,
    pub(super) claims: Vec<Claim>,
    /// Who began it. An approved call has one name, whoever dispatches it.
    pub(super) begun_by: String,
}

impl Unsure {
    fn begun(&self) -> MutexGuard<'_, Vec<Unknown>> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there are any.
    pub(super) fn is_some(&self) -> bool {
        !self.begun().is_empty()
    }

    fn note(&self, unknown: Unknown) {
        let mut begun = self.begun();
        if begun.len() < MOST_UNSURE {
            begun.push(unknown);
        } else {
            tracing::error!(call_id = %unknown.call.call_id, "too many transactions in doubt: one waits for a restart");
        }
    }
}

impl GateInner {
    /// A result that came after its call was given up: it settles the key and is kept.
    pub(super) async fn record_late(self: &Arc<Self>, trail: &mut Trail, task: &Task, entry: &Entry, end: RunEnd) {
        let done = self.judge(entry, end);
        self.note_untrusted(trail, &task.info, entry).await;
        if let Some((value, blocks)) = done.value() {
            self.note_result(trail, entry, value, blocks);
        }
        trail.step(CallEvent::LateResult);
        entry.note(trail);
        done.answer.effect.as_str().clone_into(&mut trail.record.effect);
        trail.record.operator = done
            .fault()
            .or(done.answer.operator.clone())
            .or(Some("the result came after the call was given up".into()));
        let now = self.clock.now_ms();
        let mut record = Box::new(self.record_of(trail, task, entry, &done, ("late_result", now)));
        // A call that nobody waited for fails only now.
        let failed_now = entry.run.detached && done.failed;
        let reach = Self::stop_reach(entry.checked.tool.spec.failure_policy).filter(|_| failed_now);
        record.stop = reach.map(|reach| (reach, now));
        task.info.end_credentials(reach);
        if let Err(error) = self.write_outcome(record, true).await {
            tracing::error!(call_id = %trail.record.call_id, %error, "a late result could not be recorded");
        }
        if reach == Some(StopReach::Session) {
            self.tell_stop(&trail.record);
        }
    }

    /// A record that contradicts the ledger. Where the run still owns its keys and they were only put
    /// in doubt, it settles them; otherwise the ledger notes the conflict and keeps what it has.
    pub(super) async fn contested(&self, record: &Record, stored: CallRecord) -> Result<(), Unwritten> {
        let names: Vec<String> = record.settle.iter().map(|settle| settle.key.clone()).collect();
        let recalled = self.store.recall(&names, &record.call.session).await.map_err(Unwritten::Store)?;
        let owned = |(settle, key): (&Settle, &Option<KeyRecord>)| {
            key.as_ref().is_some_and(|key| key.fence == settle.fence && key.state == KeyState::InDoubt)
        };
        if !names.is_empty() && record.settle.iter().zip(&recalled.keys).all(owned) {
            let settle = record.settle.iter().map(|settle| Settle { late: true, ..settle.clone() }).collect();
            let late = Record { settle, ..record.clone() };
            match write_one(&*self.store, Write::Record(Box::new(late))).await {
                Ok(_) => return Ok(()),
                Err(error) if error.fault() != StoreFault::Conflict => return Err(Unwritten::Store(error)),
                Err(_) => {}
            }
        }
        let CallRecord { call_id, state, code, effect, .. } = &*record.call;
        let text =
            format!("a run that no longer owns its key ended as {state}, effect {effect}; nothing was overwritten");
        tracing::error!(%call_id, %text, "late conflict");
        let facts = json!({"state": state, "code": code, "effect": effect});
        let event = Event::new(call_id, "late_conflict", self.clock.now_ms(), &facts);
        let noted = Record { durable: true, ..Record::of(stored, vec![event]) };
        write_one(&*self.store, Write::Record(Box::new(noted))).await.map_err(Unwritten::Store)?;
        self.alerts.tell(Alert::about(&record.call, text));
        Err(Unwritten::Contested)
    }

    /// After an error of transaction A: where it was taken all the same, takes it back, now or as soon
    /// as the store can be asked. The tool was not entered.
    pub(super) async fn take_back(&self, unknown: Unknown) {
        if let Err(error) = self.try_take_back(&unknown).await {
            tracing::warn!(call_id = %unknown.call.call_id, %error, "a transaction A is in doubt");
            self.unsure.note(unknown);
        }
    }

    /// Takes back what an earlier error left in doubt.
    pub(super) async fn take_back_rest(&self) {
        let begun = std::mem::take(&mut *self.unsure.begun());
        for unknown in begun {
            self.take_back(unknown).await;
        }
    }

    async fn try_take_back(&self, unknown: &Unknown) -> Result<(), StoreError> {
        let Unknown { call, claims, begun_by } = unknown;
        let Some(story) = self.store.call(&call.call_id).await? else {
            return Ok(());
        };
        let started = story.events.iter().rfind(|event| event.kind == "started");
        let is_own = started.and_then(|event| event.body.get(BEGUN_BY)).is_some_and(|by| by == begun_by.as_str());
        if !is_own {
            return Ok(());
        }
        let keys: Vec<String> = claims.iter().map(|claim| claim.key.clone()).collect();
        let recalled = self.store.recall(&keys, &call.session).await?;
        let own = |key: &KeyRecord| key.call_id == call.call_id && key.state == KeyState::Running;
        let settle = recalled.keys.into_iter().flatten().filter(own).map(|key| Settle {
            key: key.key,
            fence: key.fence,
            ending: Ending::FailedNoEffect,
            late: false,
        });
        let now = self.clock.now_ms();
        let call = Arc::new(not_entered(story.record, now));
        let event = Event::of_call(&call, "taken_back", now);
        let record = Record { durable: true, settle: settle.collect(), ..Record::of(call, vec![event]) };
        write_one(&*self.store, Write::Record(Box::new(record))).await.map(drop)
    }
}

/// The call as one whose tool was not entered; one that is closed already stays as it is.
fn not_entered(stored: CallRecord, now: Millis) -> CallRecord {
    if stored.state != CallState::Running.as_str() {
        return stored;
    }
    let state = CallState::Running.next(CallEvent::Fail).unwrap_or(CallState::Failed);
    CallRecord {
        state: state.as_str().to_owned(),
        code: Code::AuditUnavailable.as_str().to_owned(),
        stage: Stage::Claim.as_str().to_owned(),
        effect: Effect::None.as_str().to_owned(),
        operator: Some("the answer of transaction A was lost; the tool was not entered".to_owned()),
        finished_ms: Some(now),
        ..stored
    }
}
