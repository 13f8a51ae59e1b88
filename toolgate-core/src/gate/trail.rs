//! The audit record of one call while it is under way. Opened before the first stage, written with
//! the answer, whatever it is.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::{Map, Value};

use super::answer::Answer;
use super::background::Slot;
use super::inner::{INNER, Place};
use super::parse::MAX_HOST_NAME;
use super::taint::Strangers;
use super::{GateInner, Request};
use crate::ledger::{CallEvent, CallState};
use crate::owner::Driver;
use crate::redact::{self, Redactor};
use crate::session::TaskInfo;
use crate::store::{CallRecord, Event, Millis};
use crate::taint::Taint;

/// Most characters of a tool name that is said back and recorded.
const MAX_NAME: usize = 64;
/// What the scope of a named operation begins with, so that none is taken for a turn.
pub(super) const OPERATION: &str = "operation:";

/// Most characters of a reason and a scope that are recorded.
pub(super) const MAX_TEXT: usize = 2_000;

/// What is recorded of a name that the host gives; a longer one is refused.
fn kept(name: &str) -> String {
    if name.len() <= MAX_HOST_NAME { name.to_owned() } else { cut(name, MAX_NAME) }
}

/// The text, or so many characters of it and a sign that there is more.
pub(super) fn cut(text: &str, most: usize) -> String {
    // A character has a byte at least.
    if text.len() <= most {
        return text.to_owned();
    }
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The record while it is written. What was given to a store is shared with it until the next word.
#[derive(Debug)]
pub(super) struct Draft(Arc<CallRecord>);

impl Draft {
    /// The record as it is now.
    pub(super) fn share(&self) -> Arc<CallRecord> {
        Arc::clone(&self.0)
    }
}

impl From<CallRecord> for Draft {
    fn from(record: CallRecord) -> Self {
        Self(Arc::new(record))
    }
}

impl From<Arc<CallRecord>> for Draft {
    fn from(record: Arc<CallRecord>) -> Self {
        Self(record)
    }
}

impl Deref for Draft {
    type Target = CallRecord;

    fn deref(&self) -> &CallRecord {
        &self.0
    }
}

impl DerefMut for Draft {
    fn deref_mut(&mut self) -> &mut CallRecord {
        Arc::make_mut(&mut self.0)
    }
}

#[derive(Debug)]
pub(crate) struct Trail {
    pub(super) record: Draft,
    pub(super) state: CallState,
    /// The scope as it was given, which keys are made of; the record has it redacted.
    pub(super) scope: String,
    /// The call whose approval this one uses; it runs under that call's id once it starts.
    pub(super) adopts: Option<Adopted>,
    /// Who drives it to its end, once it has begun.
    pub(super) driver: Option<Driver>,
    /// The key of a step in another call, where it is one.
    pub(super) step_key: Option<String>,
    /// Its place among the calls in the background, where it is one.
    pub(super) slot: Option<Slot>,
    /// Its place among the equal calls of its outer call, until it is answered.
    pub(super) place: Option<Place>,
    /// Whether its result is for a tool, and not cut for a model.
    pub(super) whole: bool,
    /// When work on it began, the time of a person who was asked left out.
    pub(super) began_ms: Millis,
    /// What was repaired in the arguments, as the model is told.
    pub(super) repairs: Vec<Value>,
    /// What the task was told.
    pub(super) taint: Taint,
    /// Whether a call made in this one gave something untrusted.
    pub(super) strangers: Strangers,
    /// The same, of the call that this one is made in.
    outer_strangers: Option<Strangers>,
}

#[derive(Debug, Clone)]
pub(super) struct Adopted {
    pub(super) call_id: String,
    pub(super) received_ms: Millis,
    pub(super) provider_call_id: Option<String>,
    pub(super) reason: Option<String>,
    pub(super) parent: Option<String>,
    pub(super) repairs: Vec<String>,
}

impl Trail {
    pub(super) fn open(gate: &GateInner, task: &TaskInfo, request: &Request, call_id: String, now: Millis) -> Self {
        let (redactor, call) = (&gate.redactor, &request.call);
        let operation = call.operation.as_ref().map(|operation| [OPERATION, operation].concat());
        let scope = request.scope.clone().or(operation).unwrap_or_else(|| task.turn_scope());
        let inner = scope.strip_prefix(INNER).and_then(|inner| inner.split_once(&format!("/{OPERATION}")));
        let shown = match scope.strip_prefix(OPERATION).or(inner.map(|(_, operation)| operation)) {
            Some(operation) => redactor.text(operation),
            // Its parts are shown as they are.
            None => scope.clone(),
        };
        let record = CallRecord {
            call_id,
            state: CallState::Received.as_str().to_owned(),
            tenant: gate.tenant.clone(),
            principal: kept(&task.session.principal),
            user: task.session.user.as_deref().map(kept),
            session: kept(&task.session.id),
            task: kept(&task.id),
            task_type: kept(&task.task_type),
            scope: if shown.len() <= MAX_TEXT { shown } else { cut(&shown, MAX_TEXT) },
            turn: task.counted_turn(&scope),
            provider_call_id: call.provider_call_id.as_deref().map(|id| redactor.text(&kept(id))),
            tool: match gate.tools.get(&call.tool) {
                Some(known) => known.spec.name.to_owned(),
                None => redactor.text(&call.tool.chars().take(MAX_NAME).collect::<String>()),
            },
            redaction: redact::VERSION.to_owned(),
            reason: call.reasoning.as_deref().map(|reason| cut(&redactor.text(reason), MAX_TEXT)),
            received_ms: now,
            parent: call.parent.as_deref().map(|id| redactor.text(&kept(id))),
            tainted: task.taint.is_tainted(),
            undo_of: request.undoes.clone(),
            ..CallRecord::default()
        };
        let (began_ms, whole) = (record.received_ms, request.within.is_some());
        let (state, repairs) = (CallState::Received, Vec::new());
        let record = record.into();
        let (taint, strangers) = (task.taint.clone(), Strangers::default());
        let outer_strangers = request.within.as_ref().map(|outer| Arc::clone(&outer.strangers));
        let (adopts, driver, step_key, slot, place) = (None, None, None, None, None);
        Self {
            record,
            state,
            scope,
            adopts,
            driver,
            step_key,
            slot,
            place,
            whole,
            began_ms,
            repairs,
            taint,
            strangers,
            outer_strangers,
        }
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

    /// Whether a call made in this one gave something untrusted.
    pub(super) fn strangers(&self) -> bool {
        self.strangers.load(Ordering::Relaxed)
    }

    /// The call that this one is made in got something untrusted.
    pub(super) fn tell_outer(&self) {
        if let Some(outer) = &self.outer_strangers {
            outer.store(true, Ordering::Relaxed);
        }
    }

    /// Tells the model what was repaired in its arguments.
    pub(super) fn tell_repairs(&self, details: &mut Map<String, Value>) {
        if !self.repairs.is_empty() {
            details.insert("repairs".into(), self.repairs.clone().into());
        }
    }

    /// Puts the answer into the record.
    pub(super) fn close(&mut self, redactor: &Redactor, answer: &Answer, now: Millis) {
        self.step(answer.event);
        self.put(redactor, answer, now);
    }

    /// As [`Self::close`], where the state was left as it is.
    pub(super) fn put(&mut self, redactor: &Redactor, answer: &Answer, now: Millis) {
        let record = &mut *self.record;
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
        Event::of_call(&self.record.0, kind, at_ms)
    }
}
