//! How a call ends, before it is written: the answer, the ending of its keys, and what is kept. Not what follows from
//! it, which is `outcome`'s.

use serde_json::Value;

use super::answer::Answer;
use super::blocks::Blocks;
use super::claim::Entry;
use super::message;
use crate::call::{Code, Stage};
use crate::ledger::{CallEvent, Ending};
use crate::tool::Effect;

/// How a call ends, before it is written.
#[derive(Debug)]
pub(super) struct Done {
    pub(super) answer: Answer,
    /// `None` where the tool goes on.
    pub(super) ending: Option<Ending>,
    /// The whole result, masked: data and blocks.
    pub(super) value: Option<(Value, Blocks)>,
    /// The result as the tool gave it, for preconditions.
    pub(super) seen: Option<Value>,
    /// Whether the failure policy applies.
    pub(super) failed: bool,
    /// How the result isn't what the tool declares.
    pub(super) fault: Option<String>,
}

impl Done {
    /// A refusal after transaction A: this run did nothing, earlier ones and what they called may have.
    pub(super) fn refused(entry: &Entry, answer: Answer) -> Self {
        let told = worse(entry.earlier, entry.run.effect());
        let answer = answer.event(CallEvent::Fail).effect(told);
        let failed = told != Effect::None;
        Self { answer, ending: Some(ending_of(entry.earlier, false)), value: None, seen: None, failed, fault: None }
    }

    pub(super) fn value(&self) -> Option<&(Value, Blocks)> {
        self.value.as_ref()
    }

    pub(super) fn fault(&self) -> Option<String> {
        self.fault.clone()
    }

    /// `goes_on` where the tool does, and may have an effect.
    pub(super) fn timed_out(entry: &Entry, goes_on: bool) -> Self {
        let text = message::timed_out(entry.run.allowed.as_secs_f64(), goes_on);
        let answer = Answer::refuse(Code::Timeout, Stage::Execute, "execute.timeout", text)
            .event(CallEvent::TimeOut)
            .effect(if goes_on { Effect::Unknown } else { worse(entry.earlier, entry.run.effect()) });
        let answer = if goes_on { answer } else { answer.retryable() };
        let ending = (!goes_on).then(|| ending_of(entry.earlier, false));
        Self { answer, ending, value: None, seen: None, failed: true, fault: None }
    }

    /// The tool goes on, though it was told to stop. Its late end says whether it failed.
    pub(super) fn detached(entry: &Entry) -> Self {
        let text = message::effect_unknown(message::DETACHED);
        let answer = Answer::refuse(Code::Cancelled, Stage::Execute, "execute.detached", text);
        let answer = answer.event(CallEvent::TimeOut).effect(worse(entry.earlier, Effect::Unknown));
        Self { answer, ending: None, value: None, seen: None, failed: false, fault: None }
    }

    /// Nobody was left to wait, and this run did nothing.
    pub(super) fn given_up(entry: &Entry) -> Self {
        let answer = Answer::refuse(Code::Cancelled, Stage::Execute, "execute.cancelled", message::GIVEN_UP);
        let done = Self::refused(entry, answer.retryable());
        Self { answer: done.answer.event(CallEvent::TimeOut), ..done }
    }

    /// Whether its tool goes on and nobody was left to wait for it.
    pub(super) fn is_detached(&self) -> bool {
        self.ending.is_none() && self.answer.code == Code::Cancelled
    }

    /// The lease was over while the tool ran; `goes_on` where it can't be stopped.
    pub(super) fn unleased(_entry: &Entry, goes_on: bool) -> Self {
        let text = message::effect_unknown(message::UNLEASED_RUNNING);
        let answer = Answer::refuse(Code::OutcomeUnknown, Stage::Execute, "lease.over", text)
            .event(CallEvent::Lose)
            .effect(Effect::Unknown)
            .operator("the store could not be told that the call runs, and its lease was over");
        let ending = (!goes_on).then_some(Ending::InDoubt);
        Self { answer, ending, value: None, seen: None, failed: true, fault: None }
    }

    pub(super) fn failed(answer: Answer, ending: Ending) -> Self {
        Self { answer, ending: Some(ending), value: None, seen: None, failed: true, fault: None }
    }
}

/// The worse of two effects, for what is known of both together.
pub(super) fn worse(one: Effect, other: Effect) -> Effect {
    let rank = |effect| match effect {
        Effect::None => 0,
        Effect::Done => 1,
        Effect::Partial => 2,
        Effect::Unknown => 3,
    };
    if rank(one) >= rank(other) { one } else { other }
}

/// How a failure with this effect ends its keys.
pub(super) const fn ending_of(effect: Effect, definite: bool) -> Ending {
    match effect {
        Effect::None if definite => Ending::FailedFinal,
        Effect::None => Ending::FailedNoEffect,
        Effect::Done => Ending::FailedFinal,
        Effect::Partial => Ending::Partial,
        Effect::Unknown => Ending::InDoubt,
    }
}
