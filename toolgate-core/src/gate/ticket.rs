//! Between a person's yes and the run: which ticket a call finds, what was approved is what is
//! executed, and what was decided before the wait is asked again.

use super::answer::Answer;
use super::confirmation::Approval;
use super::contract::Checked;
use super::policy::Permit;
use super::precondition::Ready;
use super::recall::unavailable;
use super::trail::Trail;
use super::{GateInner, Request, message};
use crate::call::{Code, Stage};
use crate::json::{Limits, parse};
use crate::session::TaskInfo;
use crate::store::{TicketFilter, TicketRecord, TicketState};

/// How many tickets of one call in one task are looked through.
const LOOK_BACK: usize = 20;

impl GateInner {
    /// The ticket that counts for exactly this call: a fresh denial first, then an approval, then one
    /// that waits, then the newest.
    pub(super) async fn find_ticket(
        &self,
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
            digest: Some(checked.digest.clone()),
            ..TicketFilter::default()
        };
        let own = TicketFilter { task: Some(task.id.clone()), limit: Some(LOOK_BACK), ..same.clone() };
        // A denial holds in the whole session; another task of it may not ask for the same again. Each
        // took a person's time, so there are few; what others ask doesn't push them out.
        let denied = TicketFilter { state: Some(TicketState::Denied), ..same };
        let mut found = self.store.tickets(&own).await.map_err(|error| unavailable(&error))?;
        found.extend(self.store.tickets(&denied).await.map_err(|error| unavailable(&error))?);
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
        permit.require_paths()?;
        let ready = self.check_preconditions(trail, task, checked).await?;
        Ok((permit, ready))
    }
}

/// The approval was used by another call in the meantime.
pub(super) fn used_up() -> Answer {
    Answer::refuse(Code::DuplicateCall, Stage::Claim, "confirm.consumed", message::USED_UP).retryable()
}
