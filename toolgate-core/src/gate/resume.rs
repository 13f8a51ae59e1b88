//! Dispatches the call behind a ticket: the stored call, not a resend, through every stage again. Not
//! the decision, which is a person's and is made elsewhere.

use super::answer::Answer;
use super::background::runs_already;
use super::confirmation::{denied, waiting};
use super::recall::unavailable;
use super::stored::open_call;
use super::{Gate, Request, message};
use crate::call::{Code, Stage, ToolCall, ToolResult};
use crate::contract::Repairs;
use crate::session::Task;
use crate::store::{TicketRecord, TicketState};

impl Gate {
    pub(crate) async fn resume(&self, task: &Task, ticket: &str) -> ToolResult {
        let found = match self.inner.store.ticket(ticket).await {
            Ok(found) => found,
            Err(error) => return unbooked(String::new(), unavailable(&error)),
        };
        let session = &task.info.session;
        // A ticket of another session is like one that doesn't exist.
        let mine = |ticket: &TicketRecord| {
            (&ticket.session, &ticket.task) == (&session.bound, &task.info.id)
                && (&ticket.principal, &ticket.user) == (&session.principal, &session.user)
        };
        let Some(ticket) = found.filter(mine) else {
            let text = "there is no such ticket in this task; nothing was done";
            let answer = Answer::refuse(Code::ConfirmationExpired, Stage::Confirmation, "confirm.no_such_ticket", text);
            return unbooked(String::new(), answer);
        };
        let state = ticket.state_at(self.inner.clock.now_ms());
        match state {
            TicketState::Pending => unbooked(ticket.call_id.clone(), waiting(&ticket)),
            TicketState::Denied => {
                self.inner.end_waiting(&ticket, state).await;
                unbooked(ticket.call_id.clone(), denied(&ticket))
            }
            TicketState::Expired => {
                self.inner.end_waiting(&ticket, state).await;
                let expired = Answer::refuse(
                    Code::ConfirmationExpired,
                    Stage::Confirmation,
                    "confirm.expired",
                    message::TICKET_EXPIRED,
                );
                unbooked(ticket.call_id.clone(), expired.retryable())
            }
            TicketState::Approved => self.dispatch(task, &ticket).await,
            TicketState::Spent => self.spent(task, &ticket).await,
        }
    }

    async fn dispatch(&self, task: &Task, ticket: &TicketRecord) -> ToolResult {
        let stored = match open_call(&self.inner.key, &ticket.id, &ticket.sealed) {
            Ok(stored) => stored,
            Err(error) => {
                let answer =
                    Answer::refuse(Code::AuditUnavailable, Stage::Confirmation, "store.sealed", message::AUDIT_BEFORE);
                return unbooked(ticket.call_id.clone(), answer.operator(error.to_string()));
            }
        };
        let call = ToolCall {
            tool: stored.tool,
            arguments: Some(stored.arguments.into_bytes()),
            provider_call_id: stored.provider_call_id,
            reasoning: stored.reasoning,
            operation: None,
            key: stored.key,
            repairs: Repairs::NONE,
            parent: stored.parent,
        };
        let request = Request {
            resuming: Some(ticket.id.clone()),
            scope: Some(stored.scope),
            step: stored.step,
            undoes: stored.undoes,
            ..Request::of(call)
        };
        self.drive(task, request).await
    }

    /// The answer of the call that used the ticket.
    async fn spent(&self, task: &Task, ticket: &TicketRecord) -> ToolResult {
        let record = match self.inner.answering(&ticket.call_id).await {
            Ok(record) => record,
            Err(answer) => return unbooked(ticket.call_id.clone(), answer),
        };
        let in_background = record.as_ref().is_some_and(|record| record.background);
        let running = || unbooked(ticket.call_id.clone(), runs_already(&ticket.call_id, in_background));
        let Some(record) = record else {
            return running();
        };
        if record.call_id != ticket.call_id
            && let Err(answer) = self.inner.has_stood_in(&record).await
        {
            return unbooked(ticket.call_id.clone(), answer);
        }
        if record.finished_ms.is_none() {
            return running();
        }
        let kept = match self.inner.kept_result(&record).await {
            Ok(kept) => kept,
            Err(answer) => return unbooked(ticket.call_id.clone(), answer),
        };
        let Some(tool) = self.inner.tools.get(&record.tool) else {
            return running();
        };
        let answer = self.inner.recorded(&record, kept, tool.spec, false);
        self.inner.heard_again(&task.info, &record, &answer);
        unbooked(ticket.call_id.clone(), self.inner.masked(answer))
    }
}

/// An answer about a call that has its record already.
pub(super) fn unbooked(call_id: String, answer: Answer) -> ToolResult {
    if let Some(operator) = &answer.operator {
        tracing::warn!(%call_id, %operator, "a ticket could not be used");
    }
    answer.into_result(call_id, 0)
}
