//! Between a person's yes and the run: which ticket a call finds, what was approved is what is
//! executed, and what was decided before the wait is asked again.

use super::answer::Answer;
use super::confirmation::{Approval, more_people};
use super::contract::Checked;
use super::inner::INNER;
use super::policy::Permit;
use super::precondition::Ready;
use super::recall::unavailable;
use super::stored::open_call;
use super::trail::{OPERATION, Trail};
use super::{GateInner, Request, message};
use crate::call::{Code, Stage};
use crate::json::{Limits, parse};
use crate::session::TaskInfo;
use crate::store::{TicketFilter, TicketRecord, TicketState};

/// How many tickets of one call in one task are looked through.
const LOOK_BACK: usize = 20;
/// What the name of a call begins with.
const CALL: &str = "call_";

impl GateInner {
    /// The ticket that counts for exactly this call: a fresh denial first, then an approval, then one
    /// that waits, then the newest.
    pub(super) async fn find_ticket(
        &self,
        trail: &Trail,
        task: &TaskInfo,
        request: &Request,
        checked: &Checked,
    ) -> Result<Option<TicketRecord>, Answer> {
        if let Some(id) = &request.resuming {
            return self.store.ticket(id).await.map_err(|error| unavailable(&error));
        }
        let same = TicketFilter {
            session: Some(task.session.bound.clone()),
            tool: Some(checked.tool.spec.name.to_owned()),
            ..TicketFilter::default()
        };
        let called_by = request.within.as_ref().map(|outer| outer.tool);
        let digest = Some(self.asked(trail, checked, called_by));
        let own = TicketFilter { task: Some(task.id.clone()), limit: Some(LOOK_BACK), digest, ..same.clone() };
        // A denial holds in the whole session; another task, tool or operation of it may not ask for the
        // same again. Each took a person's time, so there are few; what others ask doesn't push them out.
        let denied = TicketFilter { state: Some(TicketState::Denied), ..same };
        let mut found = self.store.tickets(&own).await.map_err(|error| unavailable(&error))?;
        let denied = self.store.tickets(&denied).await.map_err(|error| unavailable(&error))?;
        found.extend(denied.into_iter().filter(|ticket| self.asks_for(ticket, checked)));
        let now = self.clock.now_ms();
        let same = |ticket: &TicketRecord| {
            (ticket.principal == task.session.principal && ticket.user == task.session.user)
                && ticket.contract == checked.tool.digest
        };
        let rank = |ticket: &TicketRecord| match ticket.state_at(now) {
            TicketState::Denied if self.is_cooling(ticket, now) => 0,
            TicketState::Approved => 1,
            TicketState::Pending => 2,
            _ => 3,
        };
        let counts = |ticket: &TicketRecord| same(ticket) && (ticket.task == task.id || rank(ticket) == 0);
        Ok(found.into_iter().filter(counts).min_by_key(rank))
    }

    /// What a ticket of this call is for: its arguments; and where it is made in another call, or named as
    /// an operation, as part of what. A yes to one is none to another with equal arguments.
    pub(super) fn asked(&self, trail: &Trail, checked: &Checked, called_by: Option<&str>) -> String {
        self.asked_in(&trail.scope, trail.step_key.as_deref(), checked, called_by)
    }

    fn asked_in(&self, scope: &str, step: Option<&str>, checked: &Checked, called_by: Option<&str>) -> String {
        let part = match (scope.strip_prefix(INNER), called_by) {
            // The next run of a call without a key has another name, and goes on with what was approved.
            (Some(run), Some(tool)) if run.starts_with(CALL) => {
                let operation = run.split_once('/').map_or("", |(_, operation)| operation);
                format!("{tool}/{operation}")
            }
            (Some(_), _) => scope.to_owned(),
            (None, _) if scope.starts_with(OPERATION) => scope.to_owned(),
            (None, _) => return checked.digest.clone(),
        };
        let parts = [checked.digest.as_str(), part.as_str(), step.unwrap_or_default()];
        self.key.digest("toolgate.asked.v1", &parts.map(str::as_bytes))
    }

    /// Whether the ticket is for these arguments, as part of whatever.
    fn asks_for(&self, ticket: &TicketRecord, checked: &Checked) -> bool {
        if ticket.digest == checked.digest {
            return true;
        }
        let called_by = ticket.view.called_by.as_deref();
        open_call(&self.key, &ticket.id, &ticket.sealed)
            .is_ok_and(|call| ticket.digest == self.asked_in(&call.scope, call.step.as_deref(), checked, called_by))
    }

    /// Whether a denial is so fresh that nobody is asked again.
    pub(super) fn is_cooling(&self, ticket: &TicketRecord, now: i64) -> bool {
        now.saturating_sub(ticket.decided_ms.unwrap_or(now)) < self.deny_cooldown_ms
    }

    /// What was approved is executed, not what was sent again: a reworded reason stays outside.
    pub(super) fn as_approved(
        &self,
        trail: &mut Trail,
        checked: Checked,
        approval: &Approval,
    ) -> Result<Checked, Answer> {
        let Some(approved) = approval.arguments.as_ref().filter(|approved| **approved != checked.canonical) else {
            return Ok(checked);
        };
        let node = parse(approved.as_bytes(), &Limits::MAX).map_err(|error| {
            Answer::refuse(Code::MalformedCall, Stage::Confirmation, error.code(), error.for_model())
        })?;
        let value = node.to_value();
        self.note_reason(trail, &checked.tool, &value);
        trail.record.arguments = self.redacted(value, &checked.tool.sensitive);
        let prepared = self.decode(&checked.tool, approved)?;
        Ok(Checked { canonical: approved.clone(), prepared, ..checked })
    }

    /// A person takes time: what policy and preconditions said before is asked again.
    pub(super) async fn ask_again(
        &self,
        trail: &mut Trail,
        task: &TaskInfo,
        checked: &Checked,
        approval: &Approval,
        permit: Permit,
        ready: Ready,
    ) -> Result<(Permit, Ready), Answer> {
        if !approval.waited {
            return Ok((permit, ready));
        }
        let permit = self.authorize(trail, task, checked)?;
        if let Some(spend) = approval.spend.as_ref().filter(|_| permit.approvers > approval.people) {
            if let Ok(Some(ticket)) = self.store.ticket(&spend.ticket).await {
                self.end_waiting(&ticket, TicketState::Expired).await;
            }
            return Err(more_people(&spend.ticket));
        }
        permit.require_paths()?;
        let ready = self.check_preconditions(trail, task, checked, &permit).await?;
        Ok((permit, ready))
    }
}

/// The approval was used by another call in the meantime.
pub(super) fn used_up() -> Answer {
    Answer::refuse(Code::DuplicateCall, Stage::Claim, "confirm.consumed", message::USED_UP).retryable()
}
