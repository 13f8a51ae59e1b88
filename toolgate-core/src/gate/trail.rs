//! The audit record of one call while it is under way. Opened before the first stage, written with
//! the answer, whatever it is.

use super::GateInner;
use super::answer::Answer;
use crate::call::ToolCall;
use crate::ledger::{CallEvent, CallState};
use crate::redact::{self, Redactor};
use crate::session::TaskInfo;
use crate::store::{CallRecord, Event, Millis};

/// Most characters of a tool name that is said back and recorded.
const MAX_NAME: usize = 64;

#[derive(Debug)]
pub(crate) struct Trail {
    pub(super) record: CallRecord,
    pub(super) state: CallState,
    /// The scope as it was given, which keys are made of; the record has it redacted.
    pub(super) scope: String,
    /// The call whose approval this one uses; it runs under that call's id once it starts.
    pub(super) adopts: Option<Adopted>,
    /// When work on it began, the time of a person who was asked left out.
    pub(super) began_ms: Millis,
}

#[derive(Debug, Clone)]
pub(super) struct Adopted {
    pub(super) call_id: String,
    pub(super) received_ms: Millis,
}

impl Trail {
    pub(super) fn open(gate: &GateInner, task: &TaskInfo, call: &ToolCall, call_id: String) -> Self {
        let redactor = &gate.redactor;
        let (scope, shown) = match &call.operation {
            Some(operation) => (operation.clone(), redactor.text(operation)),
            // Its parts are shown as they are.
            None => (task.turn_scope(), task.turn_scope()),
        };
        let record = CallRecord {
            call_id,
            state: CallState::Received.as_str().to_owned(),
            tenant: gate.tenant.clone(),
            principal: task.session.principal.clone(),
            user: task.session.user.clone(),
            session: task.session.id.clone(),
            task: task.id.clone(),
            task_type: task.task_type.clone(),
            scope: shown,
            provider_call_id: call.provider_call_id.as_deref().map(|id| redactor.text(id)),
            tool: match gate.tools.get(&call.tool) {
                Some(known) => known.spec.name.to_owned(),
                None => redactor.text(&call.tool.chars().take(MAX_NAME).collect::<String>()),
            },
            redaction: redact::VERSION.to_owned(),
            reason: call.reasoning.as_deref().map(|reason| redactor.text(reason)),
            received_ms: gate.clock.now_ms(),
            parent: call.parent.as_deref().map(|id| redactor.text(id)),
            ..CallRecord::default()
        };
        let began_ms = record.received_ms;
        Self { record, state: CallState::Received, scope, adopts: None, began_ms }
    }

    /// Notes what happened. An event that can't happen here is a fault of the gate: the state stays,
    /// and the operator reads of it.
    pub(super) fn step(&mut self, event: CallEvent) {
        match self.state.next(event) {
            Ok(state) => {
                self.state = state;
                state.as_str().clone_into(&mut self.record.state);
            }
            Err(error) => {
                tracing::error!(call_id = %self.record.call_id, %error, "a call met an event that can't happen");
                self.record.operator = Some(error.to_string());
            }
        }
    }

    /// Puts the answer into the record.
    pub(super) fn close(&mut self, redactor: &Redactor, answer: &Answer, now: Millis) {
        self.step(answer.event);
        self.put(redactor, answer, now);
    }

    /// As [`Self::close`], where the state was left as it is.
    pub(super) fn put(&mut self, redactor: &Redactor, answer: &Answer, now: Millis) {
        let record = &mut self.record;
        answer.code.as_str().clone_into(&mut record.code);
        answer.stage.as_str().clone_into(&mut record.stage);
        answer.effect.as_str().clone_into(&mut record.effect);
        record.rule = answer.rule().map(str::to_owned);
        record.message = if answer.message.is_empty() { String::new() } else { redactor.text(&answer.message) };
        if let Some(operator) = &answer.operator {
            record.operator = Some(redactor.text(operator));
        }
        record.truncated = answer.truncated;
        record.finished_ms = Some(now);
    }

    /// An event that carries the record as it is now.
    pub(super) fn event(&self, kind: &'static str, at_ms: Millis) -> Event {
        Event::new(&self.record.call_id, kind, at_ms, &self.record)
    }
}
