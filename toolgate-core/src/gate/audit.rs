//! The last stage, writing it down: a store that can't write refuses before the effect and seals the
//! gate after it, and what couldn't be written is kept, in order, until it can be.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::answer::Answer;
use super::faults::FaultPoint;
use super::trail::Trail;
use super::{Gate, GateInner, message};
use crate::alert::Alert;
use crate::call::{Code, Stage, ToolResult};
use crate::store::{Event, Record, StoreError, StoreFault, Write, write_one};

/// How often a busy store is asked again before the outcome of an effect counts as unrecorded.
const TRIES: u32 = 3;

/// Outcomes that could not be written, oldest first. While there are any, effectful calls are refused.
/// Not many: no call starts while there are.
#[derive(Debug, Default)]
pub(super) struct Seal {
    pending: Mutex<Vec<Record>>,
    /// One unsealing at a time.
    unsealing: tokio::sync::Mutex<()>,
}

impl Seal {
    fn pending(&self) -> MutexGuard<'_, Vec<Record>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn holds(&self, call_id: &str) -> bool {
        self.pending().iter().any(|record| record.call.call_id == call_id)
    }

    fn keep(&self, record: Record) {
        self.pending().push(record);
    }
}

/// Why an outcome is not in the ledger.
#[derive(Debug)]
pub(super) enum Unwritten {
    /// The store can't write.
    Store(StoreError),
    /// The run no longer owns its key; the ledger says so beside what it had.
    Contested,
}

impl std::fmt::Display for Unwritten {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::Contested => f.write_str("the run no longer owns its key"),
        }
    }
}

impl GateInner {
    /// Writes a call that ended before transaction A.
    pub(super) async fn close(&self, trail: &mut Trail, answer: Answer) -> ToolResult {
        let now = self.clock.now_ms();
        let waits = answer.event == crate::ledger::CallEvent::Ask;
        if waits {
            // The stage has written it, with its ticket.
            return self.result(trail, answer);
        }
        trail.close(&self.redactor, &answer, now);
        let record = Box::new(Record::of(trail.record.share(), vec![trail.event("closed", now)]));
        self.at(FaultPoint::BeforeRecord, trail).await;
        let written = self.write_outcome(record, false).await;
        self.at(FaultPoint::Recorded, trail).await;
        match written {
            Ok(()) => self.result(trail, answer),
            Err(error) => {
                tracing::error!(call_id = %trail.record.call_id, %error, "a refused call could not be recorded");
                let refused =
                    Answer::refuse(Code::AuditUnavailable, Stage::Audit, "store.unavailable", message::AUDIT_BEFORE);
                self.result(trail, refused.retryable())
            }
        }
    }

    /// Transaction B, and every other record that ends something. A store that is only busy is asked
    /// again; then the gate is sealed, where the record must not be lost (`keep`).
    pub(super) async fn write_outcome(&self, record: Box<Record>, keep: bool) -> Result<(), Unwritten> {
        if self.seal.holds(&record.call.call_id) {
            self.seal.keep(*record);
            let text = "an earlier record of this call isn't written yet";
            return Err(Unwritten::Store(StoreError::new(StoreFault::Busy, text)));
        }
        let mut tries = 1;
        loop {
            match self.write_record(&record).await {
                Err(Unwritten::Store(error)) if error.fault() == StoreFault::Busy && tries < TRIES => {
                    tokio::time::sleep(Duration::from_millis(50) * tries).await;
                    tries += 1;
                }
                Err(Unwritten::Store(error)) if keep => {
                    tracing::error!(call_id = %record.call.call_id, %error, "an outcome could not be recorded: sealed");
                    let text = format!("its outcome can't be recorded, effectful calls are refused: {error}");
                    self.alerts.tell(Alert::about(&record.call, text));
                    self.seal.keep(*record);
                    return Err(Unwritten::Store(error));
                }
                written => return written,
            }
        }
    }

    /// One try.
    async fn write_record(&self, record: &Record) -> Result<(), Unwritten> {
        match write_one(&*self.store, Write::Record(Box::new(record.clone()))).await {
            Ok(_) => Ok(()),
            Err(error) => Box::pin(self.is_written(record, error)).await,
        }
    }

    /// After an error: what of the record stands.
    async fn is_written(&self, record: &Record, error: StoreError) -> Result<(), Unwritten> {
        // The answer of a store may be lost, when the record isn't.
        let stored = self.store.call(&record.call.call_id).await.ok().flatten();
        let written = stored.as_ref().is_some_and(|story| {
            let own = |event: &&Event| event.call_id == record.call.call_id;
            let kinds = || record.events.iter().filter(own).map(|event| event.kind);
            story.record == *record.call && kinds().all(|kind| story.events.iter().any(|event| event.kind == kind))
        });
        if written {
            return Ok(());
        }
        match stored {
            Some(stored) if error.fault() == StoreFault::Conflict => self.contested(record, stored.record).await,
            _ => Err(Unwritten::Store(error)),
        }
    }

    pub(super) fn is_sealed(&self) -> bool {
        !self.seal.pending().is_empty()
    }

    pub(super) fn result(&self, trail: &Trail, mut answer: Answer) -> ToolResult {
        trail.tell_repairs(&mut answer.details);
        self.heard(trail, &answer);
        let answer = self.masked(answer);
        let elapsed = self.clock.now_ms().saturating_sub(trail.began_ms);
        answer.into_result(trail.record.call_id.clone(), u64::try_from(elapsed).unwrap_or_default())
    }
}

impl Gate {
    /// Whether effectful calls are refused because an outcome could not be recorded.
    pub fn is_sealed(&self) -> bool {
        self.inner.is_sealed()
    }

    /// Writes what could not be written and, when all of it is, lets effectful calls through again.
    /// For an operator who has seen to the store. Returns how many outcomes were written.
    ///
    /// # Errors
    /// As the store says; the gate stays sealed, and what is left is kept.
    pub async fn unseal(&self) -> Result<usize, StoreError> {
        let seal = &self.inner.seal;
        let _alone = seal.unsealing.lock().await;
        let mut written = 0;
        loop {
            let next = seal.pending().first().cloned();
            let Some(record) = next else {
                return Ok(written);
            };
            match self.inner.write_record(&record).await {
                // What is contested stands in the ledger as such.
                Ok(()) | Err(Unwritten::Contested) => {}
                Err(Unwritten::Store(error)) => return Err(error),
            }
            // Others only append, and nobody else takes away.
            seal.pending().remove(0);
            written += 1;
        }
    }
}
