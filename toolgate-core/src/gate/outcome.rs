//! What a run's end means: the answer, the ending of its keys, and what is kept. Then transaction B,
//! and what the failure policy asks for.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use toolgate_expr::Step;

use super::answer::Answer;
use super::audit::Unwritten;
use super::claim::Entry;
use super::done::{Done, ending_of, worse};
use super::faults::FaultPoint;
use super::paths::PinnedPath;
use super::precondition::outcome_context;
use super::run_end::{Failure, RunEnd};
use super::stored::{Sealed, seal_result};
use super::trail::Trail;
use super::{GateInner, Reply, Request, message};
use crate::call::{Code, Stage};
use crate::contract::Problem;
use crate::ledger::{CallEvent, Ending};
use crate::resource::PathKind;
use crate::session::Task;
use crate::spec::EffectMarks;
use crate::store::{CallRecord, Event, OutcomeRecord, Record, StopReach};
use crate::tool::{Effect, InnerRefusal, Output};

impl GateInner {
    /// What the end of a run means.
    pub(super) fn judge(&self, entry: &Entry, end: RunEnd) -> Done {
        let effect = worse(entry.earlier, self.effect_of(entry, &end));
        // What it called has its own keys: a run again gets its answers, and does none of it again.
        let told = worse(effect, entry.run.effect());
        match end {
            RunEnd::Returned(output) => self.succeeded(entry, output),
            RunEnd::Failed(failure) => self.failed(failure, effect, told),
            RunEnd::Panicked(text) => {
                let text = self.redactor.text(&text);
                let answer = failure("execute.panic", message::PANICKED, told).operator(text);
                Done::failed(answer, ending_of(effect, false))
            }
            RunEnd::Busy => {
                let answer = Answer::refuse(Code::LimitExceeded, Stage::Execute, "execute.busy", message::BUSY);
                // It was given up before its first step, for want of time.
                let done = Done::refused(entry, answer.retryable());
                Done { answer: done.answer.event(CallEvent::TimeOut), ..done }
            }
            RunEnd::Unleased => {
                let answer = Answer::refuse(Code::AuditUnavailable, Stage::Execute, "lease.over", message::UNLEASED);
                Done::refused(entry, answer.retryable())
            }
            RunEnd::Over => {
                Done::refused(entry, Answer::refuse(Code::Cancelled, Stage::Execute, "inner.over", message::OVER))
            }
        }
    }

    /// What one run did to the world. What isn't stated is unknown in a tool that writes.
    #[expect(clippy::unused_self, reason = "reads like its neighbours")]
    pub(super) fn effect_of(&self, entry: &Entry, end: &RunEnd) -> Effect {
        let spec = entry.checked.tool.spec;
        if !spec.risk.is_effectful() {
            return Effect::None;
        }
        let unstated = || {
            let is_proved = spec.effects == EffectMarks::Marked && !entry.has_effect_started();
            if is_proved { Effect::None } else { Effect::Unknown }
        };
        match end {
            RunEnd::Returned(_) => Effect::Done,
            // One step did nothing; what was done before it, it doesn't say.
            RunEnd::Failed(failure) if failure.of_one_step && entry.has_effect_started() => Effect::Unknown,
            RunEnd::Failed(failure) => failure.effect.unwrap_or_else(unstated),
            RunEnd::Panicked(_) => unstated(),
            RunEnd::Busy | RunEnd::Over | RunEnd::Unleased => Effect::None,
        }
    }

    fn succeeded(&self, entry: &Entry, output: Output) -> Done {
        let Output { mut value, content } = output;
        crate::clip::cut_deep(&mut value);
        let tool = &entry.checked.tool;
        let fault = undeclared(tool.spec.name, &tool.result_problems(&value));
        // An undoing is no run of the tool whose call it undoes.
        let is_watched = entry.checked.undoes.is_none() && self.tools.watched(tool.spec.name).is_some();
        let seen = is_watched.then(|| value.clone());
        let answer = Answer {
            effect: if tool.spec.risk.is_effectful() { Effect::Done } else { Effect::None },
            ..Answer::done()
        };
        Done {
            answer,
            ending: Some(Ending::Succeeded),
            value: Some(self.masked_parts(value, &tool.sensitive_result, content)),
            seen,
            failed: false,
            fault,
        }
    }

    fn failed(&self, error: Failure, effect: Effect, told: Effect) -> Done {
        let ending = ending_of(effect, error.definite);
        let said = error.for_model.as_deref().map(|text| self.redactor.text(text));
        let rule = if error.inner.is_some() { "inner.refused" } else { error.rule.unwrap_or("execute.failed") };
        let answer = failure(rule, said.as_deref().unwrap_or(message::FAILED), told);
        let answer = Answer { code: error.code.unwrap_or(answer.code), ..answer };
        let mut answer = if error.retryable { answer.retryable() } else { answer };
        if let Some(wait) = error.wait {
            answer = answer.detail("retry_after_ms", u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
        }
        let answer = answer.operator(self.redactor.text(&error.for_operator));
        match error.inner {
            // A refusal triggers nothing, also where it is that of an inner call.
            Some(inner) => {
                let InnerRefusal { call_id, code, rule, ticket } = inner;
                let inner = json!({"call_id": call_id, "code": code.as_str(), "rule": rule, "ticket": ticket});
                let failed = effect != Effect::None;
                Done { failed, ..Done::failed(answer.detail("inner", inner), ending) }
            }
            None => Done { failed: error.code.is_none() || effect != Effect::None, ..Done::failed(answer, ending) },
        }
    }

    /// Transaction B, the failure policy, the answer.
    pub(super) async fn finish(
        self: &Arc<Self>,
        trail: &mut Trail,
        task: &Task,
        request: &Request,
        entry: &Entry,
        mut done: Done,
        reply: &mut Option<Reply>,
    ) {
        let spec = entry.checked.tool.spec;
        entry.note(trail);
        if let Some((value, blocks)) = &done.value {
            let limit = if trail.whole { usize::MAX } else { spec.result_limit as usize };
            let clipped = self.clipped(limit, &trail.record.call_id, value, blocks);
            done.answer = Answer { effect: done.answer.effect, ..clipped };
            self.note_result(trail, entry, value, blocks);
        }
        if let Some(fault) = &done.fault {
            // What was done is done: the answer is what it was, and says what it isn't.
            done.answer = done.answer.detail("rule", "execute.undeclared").operator(fault.as_str());
        }
        self.note_untrusted(trail, &task.info, entry).await;
        self.at(FaultPoint::Clipped, trail).await;
        let reach = if done.failed { Self::stop_reach(spec.failure_policy) } else { None };
        if let Some(reach) = reach {
            done.answer = stopping(done.answer, reach);
        }
        let stood_in = self.fall_back(trail, task, request, entry, &mut done).await;
        let now = self.clock.now_ms();
        self.count_run(trail, &task.info, done.value(), now);
        trail.close(&self.redactor, &done.answer, now);
        let mut record = Box::new(self.record_of(
            trail,
            task,
            entry,
            &done,
            (if done.is_detached() { "detached" } else { "finished" }, now),
        ));
        record.stop = reach.map(|reach| (reach, now));
        self.at(FaultPoint::BeforeRecord, trail).await;
        let written = self.write_outcome(record, entry.recorded).await;
        self.at(FaultPoint::Recorded, trail).await;
        task.info.end_credentials(reach);
        if reach == Some(StopReach::Session) {
            // Also where it can't be written: then all the more.
            self.tell_stop(&trail.record);
        }
        if trail.slot.is_some() {
            // It was answered long ago; its end is asked for by handle.
            if let Err(error) = written {
                tracing::error!(call_id = %trail.record.call_id, %error, "the end of a background call isn't recorded");
            }
            if let Some(slot) = &mut trail.slot {
                slot.recorded();
            }
            return;
        }
        let result = match (stood_in, written) {
            // The record of a fallback is its own.
            (Some(mut stood_in), _) => {
                trail.tell_repairs(&mut stood_in.details);
                stood_in
            }
            (None, Ok(())) => self.result(trail, done.answer),
            (None, Err(error)) => self.result(trail, unrecorded(done.answer, spec.risk.is_effectful(), &error)),
        };
        if let Some(outer) = request.within.as_ref().filter(|_| spec.risk.is_effectful()) {
            outer.ended(result.effect);
        }
        self.free_place(trail, request, result.ok, result.effect);
        Reply::answer(reply, result);
    }

    /// The record of transaction B.
    pub(super) fn record_of(
        &self,
        trail: &Trail,
        task: &Task,
        entry: &Entry,
        done: &Done,
        (kind, now): (&'static str, i64),
    ) -> Record {
        let settle = done.ending.map(|ending| entry.held.iter().map(|held| held.settle(ending)).collect());
        // What may be asked for again: by key, by ticket, by handle.
        let asked_again = !entry.held.is_empty() || trail.record.ticket.is_some() || trail.slot.is_some();
        let sealed = match &done.value {
            Some((value, blocks)) if asked_again || done.answer.details.contains_key("handle") => {
                let files = self.files_left(task, entry);
                Some(Sealed { files, blocks: blocks.clone(), ..Sealed::value(value.clone()) })
            }
            // The record of a call that was given up keeps what its caller was told.
            None if asked_again && kind == "late_result" => Some(Sealed::error(done.answer.message.clone())),
            _ => None,
        };
        let result = sealed
            .and_then(|sealed| seal_result(&self.key, &trail.record.call_id, &trail.record.session, &sealed).ok());
        let mut events = vec![trail.event(kind, now)];
        events.extend(undone_event(trail, entry, done, now));
        Record {
            durable: entry.recorded,
            settle: settle.unwrap_or_default(),
            outcome: self.outcome_of(trail, entry, done, now),
            marks: self.marks_after(trail, &task.info, &entry.permit),
            result,
            ..Record::of(trail.record.share(), events)
        }
    }

    /// What preconditions of other tools may look at: the fields they name, from the typed result.
    fn outcome_of(&self, trail: &Trail, entry: &Entry, done: &Done, now: i64) -> Option<OutcomeRecord> {
        done.ending?;
        self.tools.watched(entry.checked.tool.spec.name).filter(|_| entry.checked.undoes.is_none())?;
        self.outcome(&trail.record, &entry.checked.value(), done.seen.as_ref(), done.value.is_some(), now)
    }

    /// The same, of any call with these arguments.
    pub(super) fn outcome(
        &self,
        record: &CallRecord,
        arguments: &Value,
        seen: Option<&Value>,
        ok: bool,
        now: i64,
    ) -> Option<OutcomeRecord> {
        let watched = self.tools.watched(&record.tool)?;
        let result = seen.map(|seen| pick(seen, watched)).unwrap_or_default();
        let facts = json!({"arguments": arguments, "result": result});
        let text = serde_json::to_vec(&facts).ok()?;
        Some(OutcomeRecord {
            session: record.bound_session(),
            task: record.task.clone(),
            tool: record.tool.clone(),
            call_id: record.call_id.clone(),
            at_ms: now,
            ok,
            facts: self.key.seal(&outcome_context(&record.call_id), &text).ok()?,
        })
    }

    /// The written files as this call leaves them: what it wrote itself, not what another one has put
    /// there meanwhile. A tool that wrote by other means left what stands there now.
    fn files_left(&self, task: &Task, entry: &Entry) -> Vec<(String, crate::resource::Pin)> {
        let Some(workspace) = &task.info.session.workspace else {
            return Vec::new();
        };
        let paths = entry.permit.paths.iter().filter(|path| path.text.kind() == PathKind::Write);
        let written = |pointer: &str| {
            let slot = entry.checked.paths().iter().find(|slot| slot.pointer == pointer)?;
            slot.slot.get()?.left()
        };
        let left = |path: &PinnedPath| written(&path.pointer).or_else(|| workspace.pin(&path.text).ok());
        paths.filter_map(|path| Some((path.pointer.clone(), left(path)?))).collect()
    }
}

/// What the undone call hears of its undoing.
fn undone_event(trail: &Trail, entry: &Entry, done: &Done, now: i64) -> Option<Event> {
    let undone = entry.checked.undoes.as_ref()?;
    matches!(done.answer.effect, Effect::Done | Effect::Partial).then(|| {
        let facts = json!({"by": trail.record.call_id, "effect": done.answer.effect.as_str()});
        Event::new(undone.of.call_id.as_str(), "undone", now, &facts)
    })
}

/// What an operator reads of a result that isn't what its tool declares.
fn undeclared(tool: &str, problems: &[Problem]) -> Option<String> {
    let first = problems.first()?;
    let more = problems.len() - 1;
    let more = if more == 0 { String::new() } else { format!(", and {more} more") };
    let place = if first.pointer.is_empty() { "the result" } else { &first.pointer };
    let text = format!("the result isn't what the tool declares; {place}: {}{more}", first.expected);
    tracing::error!(tool, %text, "a result broke its schema");
    Some(text)
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
    answer.message = message::and_then(
        &answer.message,
        match reach {
            StopReach::Tool => message::CLOSED,
            StopReach::Session => message::STOPPED,
        },
    );
    answer.retryable = false;
    let reach = match reach {
        StopReach::Tool => "tool",
        StopReach::Session => "session",
    };
    answer.detail("stops", reach)
}

/// The effect is there, the record isn't: said as it is. A read's data is withheld.
fn unrecorded(answer: Answer, effectful: bool, error: &Unwritten) -> Answer {
    let Answer { given, effect, truncated, .. } = answer;
    let (rule, text) = match error {
        Unwritten::Contested => ("audit.late_conflict", message::CONTESTED),
        Unwritten::Store(_) if effectful => ("audit.unrecorded", message::AUDIT_AFTER),
        Unwritten::Store(_) => ("audit.unrecorded", message::AUDIT_READ),
    };
    let refused = Answer::refuse(Code::AuditUnavailable, Stage::Audit, rule, text).operator(error.to_string());
    if effectful { Answer { given, truncated, ..refused.effect(effect) } } else { refused.retryable() }
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
