//! What a run's end means: the answer, the ending of its keys, and what is kept. Then transaction B,
//! and what the failure policy asks for.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use toolgate_expr::Step;

use super::answer::Answer;
use super::claim::Entry;
use super::execute::RunEnd;
use super::faults::FaultPoint;
use super::precondition::outcome_context;
use super::stored::{Sealed, seal_result};
use super::trail::Trail;
use super::{GateInner, Reply, Request, message};
use crate::alert::Alert;
use crate::call::{Code, Stage, ToolCall};
use crate::ledger::{CallEvent, Ending};
use crate::resource::PathKind;
use crate::session::Task;
use crate::spec::FailurePolicy;
use crate::store::{OutcomeRecord, Record, StopReach};
use crate::tool::{Effect, ToolError};

/// How a call ends, before it is written.
#[derive(Debug)]
pub(super) struct Done {
    pub(super) answer: Answer,
    /// `None` where the tool goes on.
    ending: Option<Ending>,
    /// The whole result, masked.
    value: Option<Value>,
    /// The result as the tool gave it, for preconditions.
    seen: Option<Value>,
    /// Whether the failure policy applies.
    failed: bool,
}

impl Done {
    /// A refusal after transaction A: nothing happened.
    pub(super) fn refused(answer: Answer) -> Self {
        let answer = answer.event(CallEvent::Fail);
        Self { answer, ending: Some(Ending::FailedNoEffect), value: None, seen: None, failed: false }
    }

    pub(super) fn timed_out(entry: &Entry) -> Self {
        let spec = entry.checked.tool.spec;
        let effectful = spec.risk.is_effectful();
        let text = message::timed_out(spec.timeout.as_secs_f64(), effectful);
        let answer = Answer::refuse(Code::Timeout, Stage::Execute, "execute.timeout", text)
            .event(CallEvent::TimeOut)
            .effect(if effectful { Effect::Unknown } else { Effect::None });
        let answer = if effectful { answer } else { answer.retryable() };
        Self { answer, ending: None, value: None, seen: None, failed: true }
    }

    fn failed(answer: Answer, ending: Ending) -> Self {
        Self { answer, ending: Some(ending), value: None, seen: None, failed: true }
    }
}

impl GateInner {
    /// What the end of a run means.
    pub(super) fn judge(&self, entry: &Entry, end: RunEnd) -> Done {
        let effectful = entry.checked.tool.spec.risk.is_effectful();
        let unstated = if effectful { Effect::Unknown } else { Effect::None };
        match end {
            RunEnd::Returned(Ok(output)) => self.succeeded(entry, output.value),
            RunEnd::Returned(Err(error)) => self.failed(&error, error.effect().unwrap_or(unstated)),
            RunEnd::Panicked(text) => {
                let text = self.redactor.text(&text);
                let answer = failure("execute.panic", message::PANICKED, unstated).operator(text);
                Done::failed(answer, if effectful { Ending::InDoubt } else { Ending::FailedNoEffect })
            }
            RunEnd::Busy => {
                let answer = Answer::refuse(Code::LimitExceeded, Stage::Execute, "execute.busy", message::BUSY);
                Done::refused(answer.retryable())
            }
        }
    }

    fn succeeded(&self, entry: &Entry, value: Value) -> Done {
        let tool = &entry.checked.tool;
        let seen = self.tools.watched(tool.spec.name).is_some().then(|| value.clone());
        let mut masked = value;
        crate::redact::Redactor::mask_pointers(&mut masked, &tool.sensitive_result);
        self.redactor.mask_known(&mut masked);
        let answer = Answer {
            effect: if tool.spec.risk.is_effectful() { Effect::Done } else { Effect::None },
            ..Answer::refuse(Code::Ok, Stage::Execute, "", "done").event(CallEvent::Succeed)
        };
        Done { answer, ending: Some(Ending::Succeeded), value: Some(masked), seen, failed: false }
    }

    fn failed(&self, error: &ToolError, effect: Effect) -> Done {
        let ending = match effect {
            Effect::None if error.is_definite() => Ending::FailedFinal,
            Effect::None => Ending::FailedNoEffect,
            Effect::Done => Ending::FailedFinal,
            Effect::Partial => Ending::Partial,
            Effect::Unknown => Ending::InDoubt,
        };
        let said = error.for_model().map(|text| self.redactor.text(text));
        let answer = failure("execute.failed", said.as_deref().unwrap_or(message::FAILED), effect);
        let answer = if error.is_retryable() { answer.retryable() } else { answer };
        Done::failed(answer.operator(self.redactor.text(&error.for_operator())), ending)
    }

    /// Transaction B, the failure policy, the answer.
    pub(super) async fn finish(
        self: &Arc<Self>,
        trail: &mut Trail,
        task: &Task,
        request: &Request,
        entry: &Entry,
        mut done: Done,
        reply: Reply,
    ) {
        let spec = entry.checked.tool.spec;
        if let Some(value) = &done.value {
            let clipped = self.clipped(spec, &trail.record.call_id, value);
            done.answer = Answer { effect: done.answer.effect, ..clipped };
            self.note_result(trail, entry, value);
        }
        self.at(FaultPoint::Clipped, trail).await;
        let reach = if done.failed { Self::stop_reach(spec.failure_policy) } else { None };
        if let Some(reach) = reach {
            done.answer = stopping(done.answer, reach);
        }
        let now = self.clock.now_ms();
        trail.close(&done.answer, now);
        let mut record = self.record_of(trail, task, entry, &done, "finished", false);
        record.stop = reach.map(|reach| (reach, now));
        self.at(FaultPoint::BeforeRecord, trail).await;
        let written = self.write_outcome(record, entry.recorded).await;
        self.at(FaultPoint::Recorded, trail).await;
        let effect = done.answer.effect;
        let failed = done.failed;
        let answer = match written {
            Ok(()) => done.answer,
            Err(error) => unrecorded(done.answer, entry.recorded, &error.to_string()),
        };
        let recorded = answer.code != Code::AuditUnavailable;
        let result = self.result(trail, answer);
        if recorded && failed {
            if reach == Some(StopReach::Session) {
                self.alerts.tell(Alert::of(&trail.record, &result));
            }
            if let (FailurePolicy::Fallback { tool }, Effect::None) = (spec.failure_policy, effect) {
                let result = self.fall_back(task, request, entry, tool, &result.call_id).await;
                reply.send(result);
                return;
            }
        }
        reply.send(result);
    }

    async fn fall_back(
        self: &Arc<Self>,
        task: &Task,
        request: &Request,
        entry: &Entry,
        tool: &str,
        failed: &str,
    ) -> crate::call::ToolResult {
        let call = ToolCall {
            provider_call_id: None,
            parent: Some(failed.to_owned()),
            ..ToolCall {
                tool: tool.to_owned(),
                arguments: Some(entry.checked.canonical.clone().into_bytes()),
                ..request.call.clone()
            }
        };
        let mut result = task.gate.call(task, call).await;
        result.details.insert("fallback_of".into(), failed.into());
        result
    }

    /// A result that came after its call was given up: it settles the key and is kept.
    pub(super) async fn record_late(self: &Arc<Self>, mut trail: Trail, task: &Task, entry: &Entry, end: RunEnd) {
        let done = self.judge(entry, end);
        if let Some(value) = &done.value {
            self.note_result(&mut trail, entry, value);
        }
        trail.step(CallEvent::LateResult);
        done.answer.effect.as_str().clone_into(&mut trail.record.effect);
        trail.record.operator =
            done.answer.operator.clone().or(Some("the result came after the call was given up".into()));
        let record = self.record_of(&trail, task, entry, &done, "late_result", false);
        if let Err(error) = self.write_outcome(record, true).await {
            tracing::error!(call_id = %trail.record.call_id, %error, "a late result could not be recorded");
        }
    }

    /// The record of transaction B.
    fn record_of(
        &self,
        trail: &Trail,
        task: &Task,
        entry: &Entry,
        done: &Done,
        kind: &'static str,
        late: bool,
    ) -> Record {
        let now = self.clock.now_ms();
        let settle = done.ending.map(|ending| entry.held.iter().map(|held| held.settle(ending, late)).collect());
        let keep = done.value.is_some() && (!entry.held.is_empty() || done.answer.truncated);
        let result = done.value.as_ref().filter(|_| keep).and_then(|value| {
            let sealed = Sealed { v: 1, value: value.clone(), files: self.files_left(task, entry) };
            seal_result(&self.key, &trail.record.call_id, &trail.record.session, &sealed).ok()
        });
        Record {
            durable: entry.recorded,
            settle: settle.unwrap_or_default(),
            outcome: self.outcome_of(trail, entry, done, now),
            result,
            ..Record::of(trail.record.clone(), vec![trail.event(kind, now)])
        }
    }

    /// What preconditions of other tools may look at: the fields they name, from the typed result.
    fn outcome_of(&self, trail: &Trail, entry: &Entry, done: &Done, now: i64) -> Option<OutcomeRecord> {
        let watched = self.tools.watched(entry.checked.tool.spec.name)?;
        done.ending?;
        let result = done.seen.as_ref().map(|seen| pick(seen, &watched)).unwrap_or_default();
        let facts = json!({"arguments": entry.checked.value, "result": result});
        let text = serde_json::to_vec(&facts).ok()?;
        let record = &trail.record;
        Some(OutcomeRecord {
            session: record.session.clone(),
            task: record.task.clone(),
            tool: record.tool.clone(),
            call_id: record.call_id.clone(),
            at_ms: now,
            ok: done.value.is_some(),
            facts: self.key.seal(&outcome_context(&record.call_id), &text).ok()?,
        })
    }

    /// The written files as this call leaves them.
    fn files_left(&self, task: &Task, entry: &Entry) -> Vec<(String, crate::resource::Pin)> {
        let Some(workspace) = &task.info.session.workspace else {
            return Vec::new();
        };
        let paths = entry.permit.paths.iter().filter(|path| path.text.kind() == PathKind::Write);
        paths.filter_map(|path| Some((path.pointer.clone(), workspace.pin(&path.text).ok()?))).collect()
    }
}

fn failure(rule: &str, text: &str, effect: Effect) -> Answer {
    let text = match effect {
        Effect::Unknown => message::effect_unknown(text),
        _ => text.to_owned(),
    };
    Answer::refuse(Code::ExecutionError, Stage::Execute, rule, text).event(CallEvent::Fail).effect(effect)
}

/// What the model is told beside a failure that stops it.
fn stopping(mut answer: Answer, reach: StopReach) -> Answer {
    answer.message = match reach {
        StopReach::Tool => {
            format!("{}. This tool is closed in this task; don't try another way to the same effect", answer.message)
        }
        StopReach::Session => format!("{}. {}", answer.message, message::STOPPED),
    };
    answer.retryable = false;
    let reach = match reach {
        StopReach::Tool => "tool",
        StopReach::Session => "session",
    };
    answer.detail("stops", reach)
}

/// The effect is there, the record isn't: said as it is. A read's data is withheld.
fn unrecorded(answer: Answer, effectful: bool, error: &str) -> Answer {
    let Answer { data, effect, truncated, .. } = answer;
    let text = if effectful { message::AUDIT_AFTER } else { message::AUDIT_READ };
    let refused = Answer::refuse(Code::AuditUnavailable, Stage::Audit, "audit.unrecorded", text).operator(error);
    if effectful { Answer { data, truncated, ..refused.effect(effect) } } else { refused.retryable() }
}

/// The part of a result that these paths read.
fn pick(value: &Value, paths: &[Vec<Step>]) -> Value {
    if paths.iter().any(|path| !matches!(path.first(), Some(Step::Field(_)))) {
        return value.clone();
    }
    // Whole top-level fields are kept: an expression may index into them by what it computes.
    let Value::Object(object) = value else {
        return value.clone();
    };
    let wanted =
        |name: &String| paths.iter().any(|path| matches!(path.first(), Some(Step::Field(field)) if field == name));
    let picked: Map<String, Value> =
        object.iter().filter(|(name, _)| wanted(name)).map(|(name, value)| (name.clone(), value.clone())).collect();
    Value::Object(picked)
}
