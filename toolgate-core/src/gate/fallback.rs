//! The call that a fallback makes in place of one that failed without effect, and what a repeat of the
//! first one gets: the fallback's answer, as long as there is or may be an effect behind it.

use std::sync::Arc;

use super::answer::Answer;
use super::claim::Entry;
use super::confirmation::waiting;
use super::done::Done;
use super::recall::unavailable;
use super::trail::Trail;
use super::{GateInner, Request, message};
use crate::call::{Code, Stage, ToolCall, ToolResult};
use crate::ledger::{CallState, Ending};
use crate::session::Task;
use crate::spec::FailurePolicy;
use crate::store::{CallRecord, StoreError, TicketState};
use crate::tool::Effect;

impl GateInner {
    /// Calls the fallback of a tool that failed without effect, before the first call's keys are settled:
    /// a repeat meets a running operation, and a crash leaves one in doubt.
    pub(super) async fn fall_back(
        self: &Arc<Self>,
        trail: &mut Trail,
        task: &Task,
        request: &Request,
        entry: &Entry,
        done: &mut Done,
    ) -> Option<ToolResult> {
        let FailurePolicy::Fallback { tool } = entry.checked.tool.spec.failure_policy else {
            return None;
        };
        if !done.failed || done.answer.effect != Effect::None {
            return None;
        }
        let failed = trail.record.call_id.as_str();
        let call = ToolCall {
            provider_call_id: None,
            parent: Some(failed.to_owned()),
            ..ToolCall {
                tool: tool.to_owned(),
                arguments: Some(entry.checked.canonical.clone().into_bytes()),
                ..request.call.clone()
            }
        };
        let within = request.within.clone();
        let request = Request { scope: Some(trail.scope.clone()), within, ..Request::of(call) };
        let mut result = task.gate.request(task, request).await;
        result.details.insert("fallback_of".into(), failed.into());
        trail.record.answered_by = Some(self.answerer(&result).await);
        if let Some(ending) = ending(&result) {
            done.ending = done.ending.map(|_| ending);
        }
        Some(result)
    }

    /// The call behind an answer: another one, where it was that one's answer, or its ticket.
    async fn answerer(&self, result: &ToolResult) -> String {
        let named = |name| result.details.get(name).and_then(serde_json::Value::as_str);
        if let Some(first) = named("replay_of").or_else(|| named("first_call")) {
            return first.to_owned();
        }
        let ticket = match result.ticket() {
            Some(ticket) => self.store.ticket(ticket).await.ok().flatten(),
            None => None,
        };
        ticket.map_or_else(|| result.call_id.clone(), |ticket| ticket.call_id)
    }

    /// The call that answers for this one: itself, or the one that its fallback made.
    pub(super) async fn answering(&self, call_id: &str) -> Result<Option<CallRecord>, Answer> {
        let record = self.look_up(call_id).await?;
        match record.as_ref().and_then(|record| record.answered_by.as_deref()) {
            Some(by) => self.look_up(by).await,
            None => Ok(record),
        }
    }

    pub(super) async fn look_up(&self, call_id: &str) -> Result<Option<CallRecord>, Answer> {
        let story = self.store.call(call_id).await.map_err(|error| unavailable(&error))?;
        Ok(story.map(|story| story.record))
    }

    /// Ends a repeat whose fallback still waits for a person, or runs. Says whether it has done, or may
    /// have done, what was asked for.
    pub(super) async fn has_stood_in(&self, fallback: &CallRecord) -> Result<bool, Answer> {
        let trouble = |error: StoreError| unavailable(&error);
        if CallState::parse(&fallback.state) == Some(CallState::AwaitingConfirmation) {
            let id = fallback.ticket.as_ref().map(|ticket| ticket.id.as_str()).unwrap_or_default();
            let ticket = self.store.ticket(id).await.map_err(trouble)?;
            return match ticket.map(|ticket| (ticket.state_at(self.clock.now_ms()), ticket)) {
                Some((TicketState::Pending | TicketState::Approved, ticket)) => Err(waiting(&ticket)),
                Some((TicketState::Spent, _)) => Err(under_way(fallback)),
                Some((TicketState::Denied | TicketState::Expired, _)) | None => Ok(false),
            };
        }
        if self.runs(fallback).await.map_err(trouble)? {
            return Err(under_way(fallback));
        }
        Ok(Effect::parse(&fallback.effect) != Some(Effect::None))
    }
}

fn under_way(fallback: &CallRecord) -> Answer {
    let answer = Answer::refuse(Code::DuplicateCall, Stage::Recall, "idem.running", message::DUPLICATE);
    answer.retryable().detail("first_call", fallback.call_id.as_str())
}

/// How the keys of the first call end, where its fallback has or may have had an effect.
fn ending(fallback: &ToolResult) -> Option<Ending> {
    match fallback.effect {
        Effect::None => None,
        Effect::Done if fallback.ok => Some(Ending::Succeeded),
        Effect::Partial => Some(Ending::Partial),
        Effect::Done | Effect::Unknown => Some(Ending::FailedFinal),
    }
}
