//! Stage 7, transaction A: the key is claimed, the approval spent and the call written as RUNNING, in
//! one commit that looks at everything again. A read writes nothing here.

use std::sync::Arc;
use std::time::Duration;

use super::answer::Answer;
use super::confirmation::Approval;
use super::contract::Checked;
use super::done::worse;
use super::faults::FaultPoint;
use super::inner::Outer;
use super::late::Unknown;
use super::paths::{PathProblem, paths_answer};
use super::policy::Permit;
use super::precondition::Ready;
use super::recall::{Fresh, limited, stopped, unavailable};
use super::ticket::used_up;
use super::trail::Trail;
use super::{GateInner, message};
use crate::call::{Code, Stage};
use crate::clock::boot_ms;
use crate::ledger::{CallEvent, CallState};
use crate::owner::Driver;
use crate::policy::WouldRefuse;
use crate::resource::{Keeper, PathKind};
use crate::session::TaskInfo;
use crate::spec::Confirm;
use crate::store::{
    Begin, Begun, CallRecord, Event, Facts, Millis, Settle, StoreError, StoreFault, TicketState, Write, Written,
    write_one,
};
use crate::tool::{Context, Effect, PathSlot};
use crate::undo::{self, Recorder};

/// A key that this call owns.
#[derive(Debug, Clone)]
pub(super) struct Held {
    pub(super) key: String,
    pub(super) fence: u64,
}

impl Held {
    pub(super) fn settle(&self, ending: crate::ledger::Ending) -> Settle {
        Settle { key: self.key.clone(), fence: self.fence, ending, late: false }
    }
}

/// Proof that the tool may be entered, and all that its run needs.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) checked: Checked,
    pub(super) permit: Permit,
    pub(super) held: Vec<Held>,
    /// Whether a RUNNING record was written.
    pub(super) recorded: bool,
    /// What earlier runs of this call may have done.
    pub(super) earlier: Effect,
    /// The run under way, or the last one.
    pub(super) run: Run,
    /// Where it keeps what it replaces.
    pub(super) kept: Option<Arc<Recorder>>,
}

impl Entry {
    /// The record tells what the call asked for and what is kept of it.
    pub(super) fn note(&self, trail: &mut Trail) {
        self.run.note_credentials(trail);
        if let Some(kept) = &self.kept {
            trail.record.undo = kept.record();
        }
    }
}

/// One run, as far as its end is judged by it.
#[derive(Debug, Default)]
pub(super) struct Run {
    /// How long it might take.
    pub(super) allowed: Duration,
    /// The calls that it makes.
    pub(super) outer: Option<Arc<Outer>>,
    /// What those of earlier runs did.
    pub(super) before: Option<Effect>,
    /// What it was given, which knows whether its effect has begun.
    pub(super) context: Option<Context>,
    /// Whether it went on when nobody waited for it any more.
    pub(super) detached: bool,
}

impl Run {
    /// What the calls of this run and of those before it did to the world.
    pub(super) fn effect(&self) -> Effect {
        let now = self.outer.as_ref().map_or(Effect::None, |outer| outer.effect());
        worse(self.before.unwrap_or(Effect::None), now)
    }

    /// What this run has met that isn't enforced.
    pub(super) fn noted(&self) -> Vec<WouldRefuse> {
        self.outer.as_ref().map(|outer| outer.noted.take()).unwrap_or_default()
    }

    /// The record tells of the credentials that this run and those before it asked for.
    pub(super) fn note_credentials(&self, trail: &mut Trail) {
        let asked = self.outer.as_ref().map(|outer| outer.asked.records()).unwrap_or_default();
        if !asked.is_empty() {
            trail.record.credentials = asked;
        }
    }
}

/// What a call was before it began, for one that doesn't.
struct Own {
    state: CallState,
    /// Its record, where more of it changes than the state.
    record: Option<Arc<CallRecord>>,
}

impl Own {
    fn of(trail: &Trail) -> Self {
        let adopts = trail.adopts.is_some() || trail.record.ticket.is_some();
        Self { state: trail.state, record: adopts.then(|| trail.record.share()) }
    }

    fn give_back(self, trail: &mut Trail) {
        trail.state = self.state;
        match self.record {
            Some(record) => trail.record = record.into(),
            None => self.state.as_str().clone_into(&mut trail.record.state),
        }
    }
}

impl GateInner {
    #[expect(clippy::too_many_arguments, reason = "each is the proof of one stage")]
    pub(super) async fn claim(
        &self,
        trail: &mut Trail,
        task: &TaskInfo,
        checked: Checked,
        permit: Permit,
        fresh: Fresh,
        _ready: Ready,
        approval: Approval,
    ) -> Result<Box<Entry>, Answer> {
        let now = self.clock.now_ms();
        let kept = self.recorder(trail, task, &checked);
        if let Err(answer) = self.open_paths(task, &checked, &permit, &approval, kept.as_ref()) {
            return Err(Box::pin(self.not_as_approved(trail, &approval, answer)).await);
        }
        let effectful = checked.tool.spec.risk.is_effectful();
        // Within another call it is a part of that one's run.
        if checked.tool.spec.background && !trail.whole {
            trail.slot = Some(self.background.place(&task.session.bound)?);
        }
        trail.record.started_ms = Some(now);
        trail.record.attempts = 1;
        // What is answered before its end is written down before it begins.
        if !effectful && approval.spend.is_none() && trail.slot.is_none() {
            trail.step(CallEvent::Start);
            return Ok(Box::new(Entry {
                checked,
                permit,
                held: Vec::new(),
                recorded: false,
                earlier: Effect::None,
                run: Run::default(),
                kept,
            }));
        }
        // What a read has no use for is not in the way of one.
        Box::pin(self.begin(trail, task, checked, permit, fresh, approval, kept, now)).await
    }

    /// Transaction A.
    #[expect(clippy::too_many_arguments, reason = "as of the stage")]
    async fn begin(
        &self,
        trail: &mut Trail,
        task: &TaskInfo,
        checked: Checked,
        permit: Permit,
        fresh: Fresh,
        approval: Approval,
        kept: Option<Arc<Recorder>>,
        now: Millis,
    ) -> Result<Box<Entry>, Answer> {
        let effectful = checked.tool.spec.risk.is_effectful();
        if effectful && self.is_sealed() {
            return Err(Answer::refuse(Code::AuditUnavailable, Stage::Claim, "gate.sealed", message::SEALED));
        }
        if effectful && !task.capabilities.count_effect() {
            return Err(Answer { stage: Stage::Claim, ..limited() });
        }
        let own = Own::of(trail);
        let own_id = trail.record.call_id.clone();
        self.adopt(trail);
        trail.step(CallEvent::Start);
        trail.record.background = trail.slot.is_some();
        if let Some(ticket) = &mut trail.record.ticket {
            TicketState::Spent.as_str().clone_into(&mut ticket.state);
        }
        let call = trail.record.share();
        let facts = Facts::Begun(Arc::clone(&call), own_id.clone());
        let started = Event { call_id: call.call_id.clone(), kind: "started", at_ms: now, facts };
        let begin = Begin {
            call,
            events: vec![started],
            owner: trail.driver.get_or_insert_with(Driver::start).owner(self.lease.holder()),
            lease: Some(self.lease.renewal()),
            claims: fresh.claims.clone(),
            marks: self.marks_before(&trail.record, task, &checked, &permit),
            spend: approval.spend.clone(),
            now_ms: now,
        };
        self.at(FaultPoint::BeforeClaim, trail).await;
        let call = Arc::clone(&begin.call);
        let asked_ms = boot_ms();
        let begun = write_one(&*self.store, Write::Begin(Box::new(begin))).await;
        let refused = match begun {
            Ok(Written::Begun(Begun::Started { fences })) => {
                if let Some(slot) = &mut trail.slot {
                    slot.name(&trail.record.call_id, self.under_way.unanswered());
                }
                self.lease.granted(asked_ms);
                if approval.spend.is_some() {
                    Self::approved(task, &checked, &permit.origins);
                }
                let held = fresh.claims.into_iter().zip(fences).map(|(claim, fence)| Held { key: claim.key, fence });
                return Ok(Box::new(Entry {
                    checked,
                    permit,
                    held: held.collect(),
                    recorded: true,
                    earlier: Effect::None,
                    run: Run::default(),
                    kept,
                }));
            }
            refused => refused,
        };
        // Nothing was changed: the call is itself again.
        own.give_back(trail);
        (trail.record.started_ms, trail.record.attempts) = (None, 0);
        (trail.slot, trail.record.background) = (None, false);
        if effectful {
            task.capabilities.give_back_effect();
        }
        Err(match refused {
            Ok(Written::Begun(begun)) => Box::pin(self.not_begun(trail, task, &checked, &permit, &fresh, begun)).await,
            Ok(_) => unavailable(&StoreError::new(StoreFault::Io, "transaction A gave no answer")),
            Err(error) => {
                Box::pin(self.take_back(Unknown { call, claims: fresh.claims, begun_by: own_id })).await;
                unavailable(&error)
            }
        })
    }

    /// The approved call runs under its own name and with what it said itself, not with what the call
    /// says which asked again.
    fn adopt(&self, trail: &mut Trail) {
        if let Some(adopted) = &trail.adopts {
            trail.record.call_id.clone_from(&adopted.call_id);
            trail.record.received_ms = adopted.received_ms;
            trail.record.provider_call_id.clone_from(&adopted.provider_call_id);
            trail.record.reason.clone_from(&adopted.reason);
            trail.record.parent.clone_from(&adopted.parent);
            trail.record.repairs.clone_from(&adopted.repairs);
        }
    }

    async fn not_begun(
        &self,
        trail: &mut Trail,
        task: &TaskInfo,
        checked: &Checked,
        permit: &Permit,
        fresh: &Fresh,
        begun: Begun,
    ) -> Answer {
        let lost_race = || {
            let answer = Answer::refuse(Code::DuplicateCall, Stage::Claim, "idem.running", message::DUPLICATE);
            answer.retryable()
        };
        match begun {
            Begun::Started { .. } => lost_race(),
            Begun::Stopped(stop) => Answer { stage: Stage::Claim, ..stopped(&stop) },
            Begun::Taken { claim, key } => match fresh.claims.get(claim) {
                Some(claim) => match self.answer_known(trail, checked, permit, task, claim, &key, None).await {
                    Err(mut answer) => {
                        answer.stage = Stage::Claim;
                        answer
                    }
                    Ok(_) => lost_race(),
                },
                None => lost_race(),
            },
            Begun::NotApproved(Some(TicketState::Spent)) => used_up(),
            Begun::NotApproved(state) => {
                if let (Some(approval), Some(state)) = (&mut trail.record.ticket, state) {
                    state.as_str().clone_into(&mut approval.state);
                }
                let (code, rule, text) = match state {
                    Some(TicketState::Denied) => (Code::ConfirmationDenied, "confirm.denied", message::DENIED),
                    None => (Code::ConfirmationExpired, "confirm.args_mismatch", message::TICKET_EXPIRED),
                    Some(_) => (Code::ConfirmationExpired, "confirm.expired", message::TICKET_EXPIRED),
                };
                Answer::refuse(code, Stage::Claim, rule, text)
            }
        }
    }

    /// Resolves every path again and opens it: what was approved, or pinned before policy, is what is
    /// opened, or nothing is.
    fn open_paths(
        &self,
        task: &TaskInfo,
        checked: &Checked,
        permit: &Permit,
        approval: &Approval,
        kept: Option<&Arc<Recorder>>,
    ) -> Result<(), Answer> {
        let Some(workspace) = &task.session.workspace else {
            return Ok(());
        };
        let mut problems = Vec::new();
        let keeper = kept.map(|kept| Arc::clone(kept) as Arc<dyn Keeper>);
        for (slot, path) in checked.paths().iter().zip(&permit.paths) {
            let approved = approval.pins.iter().find(|(pointer, _)| *pointer == path.pointer);
            let pin = approved.map_or(&path.pin, |(_, pin)| pin);
            let opened = workspace.open_path(&path.text, Some(pin));
            match opened {
                // A slot is made for this call and filled once.
                Ok(handle) => drop(slot.slot.set(match &keeper {
                    Some(keeper) => handle.kept_by(keeper),
                    None => handle,
                })),
                Err(error) => problems.push(PathProblem::of(&path.pointer, &error)),
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(paths_answer(Stage::Claim, problems)) }
    }

    /// Where a call keeps what it replaces, where it may replace anything.
    fn recorder(&self, trail: &Trail, task: &TaskInfo, checked: &Checked) -> Option<Arc<Recorder>> {
        let spec = checked.tool.spec;
        let workspace = task.session.workspace.as_ref()?;
        let changes = |slot: &PathSlot| matches!(slot.kind, PathKind::Write | PathKind::Entry);
        if !self.keep.is_on() || !spec.risk.is_effectful() || !checked.paths().iter().any(changes) {
            return None;
        }
        // It will have that name once it has begun.
        let call_id = trail.adopts.as_ref().map_or(&trail.record.call_id, |adopted| &adopted.call_id);
        let facts = undo::Facts {
            arguments: checked.canonical.clone(),
            workspace: workspace.id().to_owned(),
            root: workspace.root_path().map(|path| path.to_string_lossy().into_owned()),
            permissions: spec.permissions.iter().map(|&permission| permission.to_owned()).collect(),
            asks: matches!(spec.confirm, Confirm::Ask(_)),
        };
        let (keep, clock) = (Arc::clone(&self.keep), Arc::clone(&self.clock));
        Some(Arc::new(Recorder::new(keep, clock, self.faults.clone(), call_id.clone(), facts)))
    }

    /// An approval of a file that has changed since is for nothing: it ends, and the same call asks anew.
    async fn not_as_approved(&self, trail: &mut Trail, approval: &Approval, answer: Answer) -> Answer {
        let Some(spend) = approval.spend.as_ref().filter(|_| answer.rule() == Some("path.changed")) else {
            return answer;
        };
        if let Some(ticket) = &mut trail.record.ticket {
            TicketState::Expired.as_str().clone_into(&mut ticket.state);
        }
        match self.store.ticket(&spend.ticket).await {
            Ok(Some(ticket)) => self.end_waiting(&ticket, TicketState::Expired).await,
            Ok(None) => {}
            Err(error) => tracing::warn!(ticket = %spend.ticket, %error, "an approval for nothing could not be ended"),
        }
        Answer { code: Code::ConfirmationExpired, message: message::CHANGED.to_owned(), ..answer }
            .detail("ticket", spend.ticket.as_str())
    }

    /// As before transaction A, for another run of the same call. A file that the run before may have
    /// written is looked at again; the place must be the same.
    pub(super) fn open_again(&self, task: &TaskInfo, entry: &mut Entry) -> Result<(), Answer> {
        if let Some(workspace) = &task.session.workspace {
            for path in entry.permit.paths.iter_mut().filter(|path| path.text.kind() == PathKind::Write) {
                match workspace.pin(&path.text) {
                    Ok(now) if now.resolved == path.pin.resolved => path.pin = now,
                    _ => {}
                }
            }
        }
        self.open_paths(task, &entry.checked, &entry.permit, &Approval::default(), entry.kept.as_ref())
    }
}
