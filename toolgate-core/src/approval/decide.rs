//! A person's decision, from whichever channel: compare-and-set on the ticket, and the end of the
//! call that waited for a no.

use super::Decision;
use std::sync::Arc;

use crate::call::{Code, Stage};
use crate::gate::message;
use crate::ledger::{CallEvent, CallState};
use crate::redact::Redactor;
use crate::store::{
    CallRecord, Decide, Decided, Event, Millis, Record, Store, StoreError, TicketRecord, TicketState, Write, Written,
    write_one,
};

/// Records a decision; the first one counts, and the answer says whether it was this one. A ticket that needs several
/// people is approved by the last of so many different ones, and denied by the first no.
///
/// # Errors
/// As the store says.
pub async fn decide(
    store: &dyn Store,
    redactor: &Redactor,
    now_ms: Millis,
    ticket: &str,
    decision: &Decision,
    channel: &str,
) -> Result<Decided, StoreError> {
    let write = Write::Decide(Decide {
        ticket: ticket.to_owned(),
        approve: decision.approve,
        by: decision.by.clone(),
        channel: channel.to_owned(),
        comment: decision.comment.as_deref().map(|comment| redactor.text(comment)),
        now_ms,
    });
    let Written::Decided(decided) = write_one(store, write).await? else {
        return Ok(Decided::NotFound);
    };
    if let Decided::Now(ticket) = &decided
        && ticket.state == TicketState::Denied
    {
        close_waiting(store, now_ms, ticket, TicketState::Denied).await?;
    }
    Ok(decided)
}

/// Closes the call that waited for a ticket which was denied or has expired. A call that is closed
/// already stays as it is.
///
/// # Errors
/// As the store says.
pub async fn close_waiting(
    store: &dyn Store,
    now_ms: Millis,
    ticket: &TicketRecord,
    state: TicketState,
) -> Result<(), StoreError> {
    let Some(story) = store.call(&ticket.call_id).await? else {
        return Ok(());
    };
    if story.record.state != CallState::AwaitingConfirmation.as_str() {
        return Ok(());
    }
    let (code, rule, told) = match state {
        TicketState::Denied => (Code::ConfirmationDenied, "confirm.denied", message::DENIED),
        _ => (Code::ConfirmationExpired, "confirm.expired", message::TICKET_EXPIRED),
    };
    let closed = CallState::AwaitingConfirmation.next(CallEvent::Refuse).unwrap_or(CallState::Denied);
    let mut call = CallRecord {
        state: closed.as_str().to_owned(),
        code: code.as_str().to_owned(),
        stage: Stage::Confirmation.as_str().to_owned(),
        rule: Some(rule.to_owned()),
        message: told.to_owned(),
        finished_ms: Some(now_ms),
        ..story.record
    };
    if let Some(approval) = &mut call.ticket {
        state.as_str().clone_into(&mut approval.state);
        approval.approvals.clone_from(&ticket.approvals);
        approval.by.clone_from(&ticket.decided_by);
        approval.channel.clone_from(&ticket.channel);
        approval.comment.clone_from(&ticket.comment);
    }
    let call = Arc::new(call);
    let event = Event::of_call(&call, "closed", now_ms);
    let ends = (state == TicketState::Expired).then(|| (ticket.id.clone(), TicketState::Expired));
    let record = Record { end_ticket: ends, ..Record::of(call, vec![event]) };
    write_one(store, Write::Record(Box::new(record))).await.map(drop)
}
