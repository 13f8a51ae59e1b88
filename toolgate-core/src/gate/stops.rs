//! Where effectful calls are stopped, and the person who lets them go on. Not the stopping, which is
//! a failure policy's and part of transaction B, or of the sweep that finds a call lost. And who is told of it: until somebody is, also by the next start.

use std::sync::Arc;

use serde_json::json;

use super::{Gate, GateInner};
use crate::alert::Alert;
use crate::ledger::CallState;
use crate::spec::{FailurePolicy, ToolSpec};
use crate::store::{
    CallRecord, Event, Resume, Stop, StopReach, StoreError, StoreFault, SweptCall, Write, Written, bound_session,
    write_one,
};

/// The event by which the next start knows that somebody was told.
const ALERTED: &str = "alerted";

impl Gate {
    /// Where effectful calls are stopped, oldest first.
    ///
    /// # Errors
    /// As the store says.
    pub async fn stops(&self) -> Result<Vec<Stop>, StoreError> {
        self.inner.store.stops().await
    }

    /// Lets a session of this gate's tenant go on: one task's stops, or all of them. `by` is the person who decided it.
    /// Returns how many stops ended.
    ///
    /// # Errors
    /// As the store says.
    pub async fn resume_stopped(&self, session: &str, task: Option<&str>, by: &str) -> Result<u64, StoreError> {
        let resume = Resume {
            session: bound_session(&self.inner.tenant, session),
            task: task.map(str::to_owned),
            by: by.to_owned(),
            now_ms: self.inner.clock.now_ms(),
        };
        match write_one(&*self.inner.store, Write::Resume(resume)).await? {
            Written::Resumed(ended) => Ok(ended),
            _ => Err(StoreError::new(StoreFault::Io, "the store gave another answer than asked for")),
        }
    }
}

/// Whether a call of the tool stops its session where it ends with its process. `abort` has no part in it: what a repeat
/// gets is said by the key.
pub(super) fn stops_if_lost(spec: &ToolSpec) -> bool {
    spec.failure_policy == FailurePolicy::AbortAndAlert && spec.risk.is_effectful()
}

impl GateInner {
    /// Tells the alert sinks of a call that stops its session, and notes once somebody was told.
    pub(super) fn tell_stop(&self, record: &CallRecord) {
        let (store, clock, call_id) = (Arc::clone(&self.store), Arc::clone(&self.clock), record.call_id.clone());
        let told = Box::pin(async move {
            let event = Event::new(&call_id, ALERTED, clock.now_ms(), &json!({}));
            if let Err(error) = write_one(&*store, Write::Note(event)).await {
                tracing::warn!(%call_id, %error, "that somebody was alerted could not be noted: the next start tells it again");
            }
        });
        self.alerts.tell_and(Alert::of(record), Some(told));
    }

    /// Tells of stops of which nobody was told before the last end of the process.
    pub(super) async fn tell_untold(&self) -> Result<(), StoreError> {
        for stop in self.store.stops().await?.iter().filter(|stop| stop.reach == StopReach::Session) {
            let Some(story) = self.store.call(&stop.call_id).await? else { continue };
            let is_told = story.events.iter().any(|event| event.kind == ALERTED);
            if story.record.tenant == self.tenant && !is_told {
                self.tell_stop(&story.record);
            }
        }
        Ok(())
    }

    /// Tells of the calls that ended with their process and stop their session, which the sweep has written. Of those
    /// of another tenant its own gate tells, when it starts.
    pub(super) async fn tell_lost(&self, swept: &[SweptCall]) -> Result<(), StoreError> {
        for lost in swept.iter().filter(|lost| lost.state == CallState::Unknown) {
            let Some(story) = self.store.call(&lost.call_id).await? else { continue };
            if story.record.stops_if_lost && story.record.tenant == self.tenant {
                self.tell_stop(&story.record);
            }
        }
        Ok(())
    }

    /// The record of a stop that this failure causes.
    pub(super) fn stop_reach(policy: FailurePolicy) -> Option<StopReach> {
        match policy {
            FailurePolicy::Abort => Some(StopReach::Tool),
            FailurePolicy::AbortAndAlert => Some(StopReach::Session),
            _ => None,
        }
    }
}
