//! The last stage, writing it down: a store that can't write refuses before the effect and seals the
//! gate after it, and what couldn't be written is kept until it can be.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::answer::Answer;
use super::faults::FaultPoint;
use super::trail::Trail;
use super::{Gate, GateInner, message};
use crate::call::{Code, Stage, ToolResult};
use crate::store::{Record, StoreError, StoreFault, Write, write_one};

/// How often a busy store is asked again before the outcome of an effect counts as unrecorded.
const TRIES: u32 = 3;

/// Outcomes that could not be written. While there are any, effectful calls are refused.
#[derive(Debug, Default)]
pub(super) struct Seal {
    pending: Mutex<Vec<Record>>,
}

impl GateInner {
    /// Writes a call that ended before transaction A.
    pub(super) async fn close(&self, mut trail: Trail, answer: Answer) -> ToolResult {
        let now = self.clock.now_ms();
        let waits = answer.event == crate::ledger::CallEvent::Ask;
        if waits {
            // The stage has written it, with its ticket.
            return self.result(&trail, answer);
        }
        trail.close(&answer, now);
        let record = Record::of(trail.record.clone(), vec![trail.event("closed", now)]);
        self.at(FaultPoint::BeforeRecord, &trail).await;
        let written = write_one(&*self.store, Write::Record(Box::new(record))).await;
        self.at(FaultPoint::Recorded, &trail).await;
        match written {
            Ok(_) => self.result(&trail, answer),
            Err(error) => {
                tracing::error!(call_id = %trail.record.call_id, %error, "a refused call could not be recorded");
                let refused =
                    Answer::refuse(Code::AuditUnavailable, Stage::Audit, "store.unavailable", message::AUDIT_BEFORE);
                self.result(&trail, refused.retryable())
            }
        }
    }

    /// Transaction B. A store that is only busy is asked again; then the gate is sealed, where there
    /// may be an effect.
    pub(super) async fn write_outcome(&self, record: Record, effectful: bool) -> Result<(), StoreError> {
        let mut tries = 1;
        loop {
            match write_one(&*self.store, Write::Record(Box::new(record.clone()))).await {
                Ok(_) => return Ok(()),
                Err(error) if error.fault() == StoreFault::Busy && tries < TRIES => {
                    tokio::time::sleep(Duration::from_millis(50) * tries).await;
                    tries += 1;
                }
                Err(error) => {
                    if effectful {
                        tracing::error!(call_id = %record.call.call_id, %error, "an outcome could not be recorded: sealed");
                        self.seal.pending.lock().unwrap_or_else(PoisonError::into_inner).push(record);
                    }
                    return Err(error);
                }
            }
        }
    }

    pub(super) fn is_sealed(&self) -> bool {
        !self.seal.pending.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    pub(super) fn result(&self, trail: &Trail, answer: Answer) -> ToolResult {
        let elapsed = self.clock.now_ms().saturating_sub(trail.record.received_ms);
        answer.into_result(trail, u64::try_from(elapsed).unwrap_or_default())
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
        let mut written = 0;
        loop {
            let next = self.inner.seal.pending.lock().unwrap_or_else(PoisonError::into_inner).first().cloned();
            let Some(record) = next else {
                return Ok(written);
            };
            write_one(&*self.inner.store, Write::Record(Box::new(record))).await?;
            let mut pending = self.inner.seal.pending.lock().unwrap_or_else(PoisonError::into_inner);
            if !pending.is_empty() {
                pending.remove(0);
            }
            written += 1;
        }
    }
}
