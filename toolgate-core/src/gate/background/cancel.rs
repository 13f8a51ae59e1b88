//! The end of a background call before its time: an act that is recorded with the call, and needs no more rights
//! than the call had. Only the process that runs it can tell its tool.

use serde_json::json;

use super::known::Asker;
use crate::call::Code;
use crate::gate::done::Done;
use crate::gate::trail::cut;
use crate::gate::{GateInner, message};
use crate::ledger::CallState;
use crate::store::{CallRecord, Event, Record, StoreError, StoreFault, Write, write_one};
use crate::tool::Effect;

/// Most characters of who cancelled that are recorded.
const WHO: usize = 256;

/// What became of the wish to cancel a background call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CancelAnswer {
    /// Its tool is told, and has a little time to end by itself; then nobody waits for it any more.
    Asked,
    /// It has ended already, or was given up.
    Over,
    /// It runs in another process, which alone can end it.
    Elsewhere,
    /// There is no such call.
    NotFound,
}

impl CancelAnswer {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Over => "over",
            Self::Elsewhere => "elsewhere",
            Self::NotFound => "not_found",
        }
    }
}

impl GateInner {
    /// Cancels it, for `by`, who said so through `channel`.
    pub(super) async fn cancel_background(
        &self,
        handle: &str,
        asker: Asker<'_>,
        (by, channel): (&str, &str),
    ) -> Result<CancelAnswer, StoreError> {
        let Some(mut record) = self.behind(handle, asker).await? else {
            return Ok(CancelAnswer::NotFound);
        };
        if let Some(by) = record.answered_by.clone() {
            match self.store.call(&by).await? {
                Some(story) => record = story.record,
                None => return Ok(CancelAnswer::Over),
            }
        }
        let record = self.named(record).await?;
        if CallState::parse(&record.state) != Some(CallState::Running) {
            return Ok(CancelAnswer::Over);
        }
        let Some(live) = self.background.live(&record.call_id) else {
            return Ok(CancelAnswer::Elsewhere);
        };
        let noted = self.note_cancel(record, (by, channel)).await;
        if noted.as_ref().is_err_and(|error| error.fault() == StoreFault::Conflict) {
            return Ok(CancelAnswer::Over);
        }
        // What runs is stopped all the same.
        live.cancel();
        noted.map(|()| CancelAnswer::Asked)
    }

    /// Writes down who cancelled it. A conflict where it has ended meanwhile.
    async fn note_cancel(&self, record: CallRecord, (by, channel): (&str, &str)) -> Result<(), StoreError> {
        let facts = json!({"by": cut(&self.redactor.text(by), WHO), "channel": channel});
        let event = Event::new(&record.call_id, "cancel_asked", self.clock.now_ms(), &facts);
        let noted = Record { durable: true, ..Record::of(record, vec![event]) };
        write_one(&*self.store, Write::Record(Box::new(noted))).await.map(drop)
    }
}

impl Done {
    /// The end of a run that was told that its call is cancelled. One that had its result by then has it all the same.
    pub(in crate::gate) fn after_cancel(mut self) -> Self {
        if self.answer.code.is_ok() {
            return self;
        }
        self.failed &= self.answer.effect != Effect::None;
        self.answer.message = match self.answer.effect {
            Effect::None => message::CANCELLED_UNDONE.to_owned(),
            _ => message::and_then(message::CANCELLED, &self.answer.message),
        };
        self.answer.retryable = false;
        if !self.is_detached() {
            self.answer.code = Code::Cancelled;
            self.answer = self.answer.detail("rule", "execute.cancelled");
        }
        self
    }
}
