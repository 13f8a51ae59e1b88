//! Stage 6, a person's yes: needs an unspent, unexpired approval for exactly this tool, contract,
//! canonical arguments and session. Without one a ticket is written, and the call waits or returns.

use serde_json::Value;

use super::answer::Answer;
use super::contract::Checked;
use super::panics::Caught;
use super::policy::Permit;
use super::recall::{Fresh, unavailable};
use super::stored::{SealedCall, open_call, seal_call};
use super::ticket::used_up;
use super::trail::{Adopted, MAX_TEXT, Trail, cut};
use super::{GateInner, Request, message};
use crate::approval;
use crate::call::{Code, Stage};
use crate::ids::mint;
use crate::ledger::CallEvent;
use crate::policy::{Control, Mode, Verdict, WouldRefuse};
use crate::session::TaskInfo;
use crate::spec::Confirm;
use crate::store::{
    ApprovalRecord, Record, Spend, StoreError, StoreFault, TicketRecord, TicketState, TicketView, Write, write_one,
};

/// Proof that nobody needs to be asked, or that somebody said yes.
#[derive(Debug, Default)]
#[must_use = "an approval that is not used hides a skipped stage"]
pub(super) struct Approval {
    pub(super) spend: Option<Spend>,
    /// Paths as the person saw them.
    pub(super) pins: Vec<(String, crate::resource::Pin)>,
    /// The arguments that were approved, reason included; they are what is executed.
    pub(super) arguments: Option<String>,
    /// Whether time went by while somebody was asked.
    pub(super) waited: bool,
    /// How many people said yes.
    pub(super) people: u32,
}

impl GateInner {
    pub(super) async fn confirm(
        &self,
        trail: &mut Trail,
        task: &TaskInfo,
        request: &Request,
        checked: &Checked,
        permit: &Permit,
        fresh: &Fresh,
    ) -> Result<Approval, Answer> {
        let mut asks = permit.ask.is_some();
        if matches!(checked.tool.spec.confirm, Confirm::Ask(_)) {
            let mode = permit.mode(Control::Confirmation, task, checked);
            asks |= mode == Mode::Enforce;
            if mode != Mode::Enforce {
                let reason = "the tool asks for a person's yes";
                self.note_soft(trail, [WouldRefuse::new(Verdict::Ask, "confirm.pending", mode, reason)]);
            }
        }
        // A ticket that is dispatched is spent, also where nobody need be asked any more.
        if !asks && request.resuming.is_none() {
            return Ok(Approval::default());
        }
        Box::pin(self.confirm_asked(trail, task, request, checked, permit, fresh)).await
    }

    /// As [`Self::confirm`], of a call that needs a person's yes.
    async fn confirm_asked(
        &self,
        trail: &mut Trail,
        task: &TaskInfo,
        request: &Request,
        checked: &Checked,
        permit: &Permit,
        fresh: &Fresh,
    ) -> Result<Approval, Answer> {
        if let Some(ticket) = self.find_ticket(trail, task, request, checked).await? {
            let now = self.clock.now_ms();
            trail.record.ticket = Some(approval_record(&ticket, ticket.state_at(now)));
            match ticket.state_at(now) {
                TicketState::Pending | TicketState::Approved if ticket.needed < permit.approvers => {
                    self.needs_more_people(trail, &ticket).await?;
                }
                TicketState::Approved => return self.use_ticket(trail, checked, &ticket),
                TicketState::Pending => return Err(waiting(&ticket)),
                TicketState::Denied if self.is_cooling(&ticket, now) => {
                    self.end_waiting(&ticket, TicketState::Denied).await;
                    return Err(denied(&ticket));
                }
                TicketState::Expired if request.resuming.is_some() => {
                    self.end_waiting(&ticket, TicketState::Expired).await;
                    let expired = Answer::refuse(
                        Code::ConfirmationExpired,
                        Stage::Confirmation,
                        "confirm.expired",
                        message::TICKET_EXPIRED,
                    );
                    return Err(expired.retryable().detail("ticket", ticket.id.as_str()));
                }
                TicketState::Expired => self.end_waiting(&ticket, TicketState::Expired).await,
                TicketState::Spent if request.resuming.is_some() => return Err(used_up()),
                // It may have been spent just now, for this very operation.
                TicketState::Spent => self.still_fresh(trail, task, checked, permit, fresh).await?,
                TicketState::Denied if request.resuming.is_some() => return Err(denied(&ticket)),
                TicketState::Denied => {}
            }
        }
        self.ask(trail, task, request, checked, permit).await
    }

    /// An approval of fewer people than the policy asks for by now is for nothing: it ends, and the same call asks
    /// anew.
    async fn needs_more_people(&self, trail: &mut Trail, ticket: &TicketRecord) -> Result<(), Answer> {
        let state = ticket.state_at(self.clock.now_ms());
        self.end_waiting(ticket, TicketState::Expired).await;
        trail.record.ticket = Some(approval_record(ticket, TicketState::Expired));
        // Nobody has decided it yet, so that the one which takes its place can be asked for at once.
        if state == TicketState::Pending { Ok(()) } else { Err(more_people(&ticket.id)) }
    }

    fn use_ticket(&self, trail: &mut Trail, checked: &Checked, ticket: &TicketRecord) -> Result<Approval, Answer> {
        let refuse = |rule: &str, text: &str| {
            Answer::refuse(Code::ConfirmationExpired, Stage::Confirmation, rule, text).retryable()
        };
        if ticket.contract != checked.tool.digest {
            return Err(refuse(
                "confirm.contract_changed",
                "the tool has changed since it was approved; nothing was done",
            ));
        }
        if ticket.digest != self.asked(trail, checked, ticket.view.called_by.as_deref()) {
            return Err(refuse("confirm.args_mismatch", "the approval is for other arguments; nothing was done"));
        }
        let call = open_call(&self.key, &ticket.id, &ticket.sealed)
            .map_err(|error| refuse("store.sealed", message::AUDIT_BEFORE).operator(error.to_string()))?;
        let value = crate::json::value_of(&call.arguments).unwrap_or_default();
        let reason = checked.tool.contract.reason().and_then(|name| value.get(name)).and_then(Value::as_str);
        let shown = |text: Option<&str>| text.map(|text| cut(&self.redactor.text(text), MAX_TEXT));
        trail.adopts = Some(Adopted {
            call_id: ticket.call_id.clone(),
            received_ms: ticket.created_ms,
            provider_call_id: shown(call.provider_call_id.as_deref()),
            reason: shown(reason.or(call.reasoning.as_deref())),
            parent: shown(call.parent.as_deref()),
            repairs: call.repairs,
        });
        Ok(Approval {
            spend: Some(Spend {
                ticket: ticket.id.clone(),
                digest: ticket.digest.clone(),
                contract: ticket.contract.clone(),
                session: ticket.session.clone(),
            }),
            pins: call.pins,
            arguments: Some(call.arguments),
            waited: false,
            people: ticket.needed,
        })
    }

    async fn ask(
        &self,
        trail: &mut Trail,
        task: &TaskInfo,
        request: &Request,
        checked: &Checked,
        permit: &Permit,
    ) -> Result<Approval, Answer> {
        let ticket = self.new_ticket(trail, task, request, checked, permit)?;
        let before = trail.state;
        trail.step(CallEvent::Ask);
        trail.record.ticket = Some(approval_record(&ticket, TicketState::Pending));
        let answer = waiting(&ticket);
        trail.put(&self.redactor, &answer, ticket.created_ms);
        trail.record.finished_ms = None;
        let record = Record {
            durable: true,
            ticket: Some(ticket.clone()),
            ..Record::of(trail.record.share(), vec![trail.event("asked", ticket.created_ms)])
        };
        if let Err(error) = write_one(&*self.store, Write::Record(Box::new(record))).await {
            // Nothing was changed: the call is itself again.
            trail.state = before;
            trail.state.as_str().clone_into(&mut trail.record.state);
            trail.record.ticket = None;
            return Err(self.asked_before(trail, task, request, checked, &error).await);
        }
        let Some(approver) = &self.approver else {
            return Err(answer.event(CallEvent::Ask));
        };
        let asked_ms = self.clock.now_ms();
        let shown = ticket.clone();
        let Ok(Some(decision)) = Caught::new(Box::pin(async { approver.decide(&shown).await })).await else {
            return Err(answer.event(CallEvent::Ask));
        };
        trail.began_ms += self.clock.now_ms().saturating_sub(asked_ms);
        let decided = approval::decide(
            &*self.store,
            &self.redactor,
            self.clock.now_ms(),
            &ticket.id,
            &decision,
            approver.channel(),
        )
        .await;
        let ticket = decided.map_err(|error| unavailable(&error))?.into_ticket().unwrap_or(ticket);
        let state = ticket.state_at(self.clock.now_ms());
        trail.record.ticket = Some(approval_record(&ticket, state));
        match state {
            TicketState::Approved => {
                trail.step(CallEvent::Approve);
                Ok(Approval { waited: true, ..self.use_ticket(trail, checked, &ticket)? })
            }
            TicketState::Denied => Err(denied(&ticket)),
            _ => Err(answer.event(CallEvent::Ask)),
        }
    }

    /// The answer where no ticket could be written: an equal call may just have asked.
    async fn asked_before(
        &self,
        trail: &mut Trail,
        task: &TaskInfo,
        request: &Request,
        checked: &Checked,
        error: &StoreError,
    ) -> Answer {
        if error.fault() != StoreFault::Conflict {
            return unavailable(error);
        }
        match self.find_ticket(trail, task, request, checked).await {
            Ok(Some(ticket)) => {
                let state = ticket.state_at(self.clock.now_ms());
                trail.record.ticket = Some(approval_record(&ticket, state));
                // One that was decided in between answers the next call.
                if state == TicketState::Denied { denied(&ticket) } else { waiting(&ticket) }
            }
            Ok(None) => unavailable(error),
            Err(answer) => answer,
        }
    }

    fn new_ticket(
        &self,
        trail: &Trail,
        task: &TaskInfo,
        request: &Request,
        checked: &Checked,
        permit: &Permit,
    ) -> Result<TicketRecord, Answer> {
        let now = self.clock.now_ms();
        let trouble = |text: String| unavailable_text(&text);
        let id = mint("ticket", now).map_err(|error| trouble(error.to_string()))?;
        let call = SealedCall {
            v: 1,
            tool: checked.tool.spec.name.to_owned(),
            arguments: checked.canonical.clone(),
            scope: trail.scope.clone(),
            provider_call_id: request.call.provider_call_id.clone(),
            reasoning: request.call.reasoning.clone(),
            key: request.call.key.clone(),
            parent: request.call.parent.clone(),
            step: trail.step_key.clone(),
            pins: permit.paths.iter().map(|path| (path.pointer.clone(), path.pin.clone())).collect(),
            repairs: trail.record.repairs.clone(),
            undoes: request.undoes.clone(),
        };
        let sealed = seal_call(&self.key, &id, &call).map_err(|error| trouble(error.to_string()))?;
        Ok(TicketRecord {
            view: TicketView {
                called_by: request.within.as_ref().map(|outer| outer.tool.to_owned()),
                ..self.view(trail, checked, permit)?
            },
            id,
            call_id: trail.record.call_id.clone(),
            tool: checked.tool.spec.name.to_owned(),
            contract: checked.tool.digest.clone(),
            digest: self.asked(trail, checked, request.within.as_ref().map(|outer| outer.tool)),
            sealed,
            session: task.session.bound.clone(),
            task: task.id.clone(),
            principal: task.session.principal.clone(),
            user: task.session.user.clone(),
            policy: trail.record.policy.as_ref().map(|said| said.policy.clone()).unwrap_or_default(),
            created_ms: now,
            expires_ms: now.saturating_add(self.ticket_ttl_ms),
            state: TicketState::Pending,
            needed: permit.approvers,
            approvals: Vec::new(),
            decided_by: None,
            channel: None,
            comment: None,
            decided_ms: None,
        })
    }

    /// Closes the call that waited for a ticket which is over.
    pub(super) async fn end_waiting(&self, ticket: &TicketRecord, state: TicketState) {
        if let Err(error) = approval::close_waiting(&*self.store, self.clock.now_ms(), ticket, state).await {
            tracing::warn!(ticket = %ticket.id, %error, "a call whose ticket is over could not be closed");
        }
    }
}

pub(super) fn unavailable_text(text: &str) -> Answer {
    Answer::refuse(Code::AuditUnavailable, Stage::Confirmation, "confirm.no_ticket", message::AUDIT_BEFORE)
        .operator(text)
}

pub(super) fn approval_record(ticket: &TicketRecord, state: TicketState) -> ApprovalRecord {
    ApprovalRecord {
        id: ticket.id.clone(),
        state: state.as_str().to_owned(),
        needed: (ticket.needed > 1).then_some(ticket.needed),
        approvals: ticket.approvals.clone(),
        by: ticket.decided_by.clone(),
        channel: ticket.channel.clone(),
        comment: ticket.comment.clone(),
    }
}

pub(super) fn waiting(ticket: &TicketRecord) -> Answer {
    Answer::refuse(Code::ConfirmationRequired, Stage::Confirmation, "confirm.pending", message::NOT_CONFIRMED)
        .retryable()
        .detail("ticket", ticket.id.as_str())
        .detail("expires_at", crate::clock::format_time(ticket.expires_ms))
}

/// Policy asks for more people than have said yes.
pub(super) fn more_people(ticket: &str) -> Answer {
    Answer::refuse(Code::ConfirmationExpired, Stage::Confirmation, "confirm.more_people", message::MORE_PEOPLE)
        .retryable()
        .detail("ticket", ticket)
}

pub(super) fn denied(ticket: &TicketRecord) -> Answer {
    Answer::refuse(Code::ConfirmationDenied, Stage::Confirmation, "confirm.denied", message::DENIED)
        .detail("ticket", ticket.id.as_str())
}
