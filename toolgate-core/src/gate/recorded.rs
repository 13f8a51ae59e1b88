//! The recorded answer of a call, given again: to a repeat of the operation, to who resumes a spent
//! ticket, to who waited for it.

use super::GateInner;
use super::answer::Answer;
use super::stored::Sealed;
use crate::call::{Code, Stage};
use crate::ledger::{CallEvent, CallState};
use crate::spec::ToolSpec;
use crate::store::{CallRecord, Verdict};
use crate::tool::Effect;

use super::message;

impl GateInner {
    /// What this call ended with. `kept` is its whole result, where it has one; `whole`, whether it is not
    /// to be cut.
    pub(super) fn recorded(&self, record: &CallRecord, kept: Option<Sealed>, spec: &ToolSpec, whole: bool) -> Answer {
        let first = record.call_id.as_str();
        let effect = Effect::parse(&record.effect).unwrap_or(Effect::Unknown);
        let at = crate::clock::format_time(record.finished_ms.unwrap_or(record.received_ms));
        let told = |answer: Answer| answer.effect(effect).detail("replay_of", first).detail("first_at", at);
        match kept {
            Some(Sealed { error: None, value, blocks, .. }) => {
                let mut answer =
                    self.clipped(if whole { usize::MAX } else { spec.result_limit as usize }, first, &value, &blocks);
                answer.code = Code::IdempotentReplay;
                answer.stage = Stage::Recall;
                answer.message = if answer.truncated {
                    format!("{}; {}", message::RECORDED, answer.message)
                } else {
                    message::RECORDED.to_owned()
                };
                told(answer.event(CallEvent::Replay))
            }
            Some(Sealed { error: Some(text), .. }) => {
                let answer = Answer::refuse(Code::ExecutionError, Stage::Recall, "idem.replayed_error", text);
                told(answer.event(CallEvent::ReplayFailure))
            }
            None if record.resolution.as_ref().is_some_and(|said| said.verdict == Verdict::Applied.as_str()) => {
                let answer = Answer::refuse(Code::IdempotentReplay, Stage::Recall, "idem.resolved", message::RESOLVED);
                told(answer.event(CallEvent::Replay))
            }
            None if record.state == CallState::Succeeded.as_str() => {
                let answer =
                    Answer::refuse(Code::IdempotentReplay, Stage::Recall, "idem.result_not_kept", message::NOT_KEPT);
                told(answer.event(CallEvent::Replay))
            }
            None => {
                let code = Code::parse(&record.code).filter(|code| !code.is_ok()).unwrap_or(Code::OutcomeUnknown);
                let answer = Answer::refuse(code, Stage::Recall, "idem.replayed_error", record.message.clone());
                told(answer.event(CallEvent::ReplayFailure))
            }
        }
    }
}
