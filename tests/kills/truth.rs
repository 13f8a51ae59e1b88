//! What may be found after a death, and what the same call gets then: the rules of the ledger, held
//! against effects that no ledger counted.

use std::path::Path;

use toolgate::gate::{BackgroundState, FaultPoint, Gate};
use toolgate::store::{CallFilter, CallRecord, TicketState};
use toolgate::{Code, Effect, ToolResult};

use crate::scene::{Kind, call, effects, task, to_its_end};

/// How the next start names a call whose process died.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Named {
    /// No record, or one that still waits for its approved ticket: nothing happened.
    Nothing,
    /// In doubt, and there was no effect.
    UnknownUndone,
    /// In doubt, and the effect is there.
    UnknownDone,
    /// Succeeded, with its one effect.
    Succeeded,
}

impl Named {
    pub(crate) const ALL: [Self; 4] = [Self::Nothing, Self::UnknownUndone, Self::UnknownDone, Self::Succeeded];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::UnknownUndone => "unknown, no effect",
            Self::UnknownDone => "unknown, effect",
            Self::Succeeded => "succeeded, effect",
        }
    }

    /// What a death at this place must leave.
    pub(crate) fn due(kind: Kind, place: FaultPoint) -> Self {
        use FaultPoint as P;
        match place {
            P::Recorded => Self::Succeeded,
            // The record of a read is one commit, at its end.
            _ if kind == Kind::Read => Self::Nothing,
            P::Claimed => Self::UnknownUndone,
            P::Returned | P::Clipped | P::BeforeRecord => Self::UnknownDone,
            P::Received
            | P::Parsed
            | P::Validated
            | P::Authorized
            | P::Recalled
            | P::Ready
            | P::Confirmed
            | P::BeforeClaim => Self::Nothing,
        }
    }
}

/// One operation after a death and the start that followed.
#[derive(Debug)]
pub(crate) struct Left<'a> {
    pub(crate) gate: &'a Gate,
    pub(crate) place: &'a Path,
    pub(crate) kind: Kind,
    pub(crate) operation: &'a str,
    pub(crate) ticket: Option<&'a str>,
}

impl Left<'_> {
    /// The keys that the tool was given, one for each effect.
    fn effects(&self) -> Vec<String> {
        effects(self.place).of(self.operation).unwrap()
    }

    async fn records(&self) -> Vec<CallRecord> {
        let filter = CallFilter { task: Some(self.operation.to_owned()), ..CallFilter::default() };
        self.gate.store().calls(&filter).await.unwrap()
    }

    async fn ticket_state(&self) -> Option<TicketState> {
        let ticket = self.gate.store().ticket(self.ticket?).await.unwrap();
        Some(ticket.unwrap().state)
    }

    /// How the start named the call. Panics over every lie.
    pub(crate) async fn named(&self) -> Named {
        assert_eq!(self.gate.store().report().await.unwrap().faults, Vec::<String>::new(), "the chain");
        let (records, effects) = (self.records().await, self.effects().len());
        assert!(records.len() <= 1, "one call, one record: {records:?}");
        let record = records.first();
        let named = match (record.map_or("none", |record| record.state.as_str()), self.kind, effects) {
            ("none", ..) if self.ticket.is_some() => panic!("the record of the waiting call is gone"),
            ("none" | "AWAITING_CONFIRMATION", _, 0) => Named::Nothing,
            ("UNKNOWN", Kind::Once | Kind::Idempotent | Kind::Confirmed | Kind::Background, 0) => Named::UnknownUndone,
            ("UNKNOWN", Kind::Once | Kind::Idempotent | Kind::Confirmed | Kind::Background, 1) => Named::UnknownDone,
            ("SUCCEEDED", Kind::Read, 0) | ("SUCCEEDED", _, 1) => Named::Succeeded,
            (state, ..) => panic!("`{state}` with {effects} effects: {record:?}"),
        };
        let said = record.map(|record| (record.code.as_str(), record.effect.as_str(), record.finished_ms.is_some()));
        match (named, self.kind) {
            (Named::Nothing, Kind::Confirmed) => assert_eq!(said, Some(("CONFIRMATION_REQUIRED", "none", false))),
            (Named::Nothing, _) => assert_eq!(said, None),
            (Named::UnknownUndone | Named::UnknownDone, _) => {
                assert_eq!(said, Some(("OUTCOME_UNKNOWN", "unknown", true)));
            }
            (Named::Succeeded, Kind::Read) => assert_eq!(said, Some(("OK", "none", true))),
            (Named::Succeeded, _) => assert_eq!(said, Some(("OK", "done", true))),
        }
        if let Some(record) = record.filter(|_| self.kind == Kind::Background) {
            let call = self.gate.background(&record.call_id).await.unwrap().unwrap();
            let due = if named == Named::Succeeded { BackgroundState::Succeeded } else { BackgroundState::InDoubt };
            assert_eq!(call.status().await.unwrap().unwrap().state, due, "the handle says the same");
        }
        let spent = if named == Named::Nothing { TicketState::Approved } else { TicketState::Spent };
        assert_eq!(self.ticket_state().await, self.ticket.map(|_| spent), "{named:?}");
        named
    }

    /// The same call again; `resume` where it is dispatched by its ticket.
    async fn again(&self, resume: bool) -> ToolResult {
        let task = task(self.gate, self.operation);
        match self.ticket.filter(|_| resume) {
            Some(ticket) => task.resume(ticket).await,
            None => to_its_end(&task, task.call(call(self.kind, self.operation)).await).await,
        }
    }

    /// What the same call gets once it is named, and what that does to the world.
    pub(crate) async fn asked_again(&self, named: Named, resume: bool) {
        let before = self.effects();
        let answer = self.again(resume).await;
        let after = self.effects();
        let runs_again = matches!(named, Named::UnknownUndone | Named::UnknownDone) && self.kind == Kind::Idempotent;
        let due = match (self.kind, named) {
            (Kind::Read, _) | (_, Named::Nothing) => Code::Ok,
            (_, Named::Succeeded) => Code::IdempotentReplay,
            _ if runs_again => Code::Ok,
            _ => Code::OutcomeUnknown,
        };
        assert_eq!(answer.code, due, "{named:?}: {answer:?}");
        let more = usize::from(self.kind != Kind::Read && (named == Named::Nothing || runs_again));
        assert_eq!(after.len(), before.len() + more, "{named:?}: {answer:?}");
        if self.kind != Kind::Read {
            assert!(!after.iter().any(String::is_empty), "a key for each effect");
            assert!(after.windows(2).all(|keys| keys[0] == keys[1]), "the same key downstream: {after:?}");
            let effect = if due == Code::OutcomeUnknown { Effect::Unknown } else { Effect::Done };
            assert_eq!(answer.effect, effect, "{answer:?}");
        }
        assert_eq!(self.ticket_state().await, self.ticket.map(|_| TicketState::Spent));
        let last = self.again(!resume).await;
        assert_eq!(self.effects().len(), after.len(), "asking once more changes nothing: {last:?}");
        assert_eq!(self.gate.store().report().await.unwrap().faults, Vec::<String>::new(), "the chain");
    }
}
