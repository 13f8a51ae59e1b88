//! A call that broke off after its claim: the gate's own driving, or a part of the host in it, panicked.
//! The ledger says that nobody knows, and the failure policy applies. Not the panics of a tool, which
//! are an outcome like others.

use super::claim::Entry;
use super::panics::caught;
use super::trail::Trail;
use super::{GateInner, broken_off, message};
use crate::call::{Code, Stage, ToolResult};
use crate::ledger::{CallState, Ending, KeyState};
use crate::store::rules::lose_call;
use crate::store::{CallRecord, Millis, Record, Settle, StopReach, StoreError};
use crate::tool::Effect;

/// The rule of such a call.
const BROKE_OFF: &str = "gate.broke_off";

impl GateInner {
    /// Writes down that the call was lost, as far as it isn't written down how it ended.
    pub(super) async fn lose(&self, trail: &mut Trail, entry: &Entry, panic: &str) -> ToolResult {
        entry.note(trail);
        let record = &trail.record;
        tracing::error!(call_id = %record.call_id, %panic, "a call broke off after its claim");
        let now = caught(|| self.clock.now_ms()).ok().or(record.started_ms).unwrap_or(record.received_ms);
        let stored = self.store.call(&record.call_id).await.ok().flatten().map(|story| story.record);
        let answered = stored.filter(|stored| CallState::parse(&stored.state).is_some_and(CallState::is_terminal));
        let mut answer = broken_off(&record.call_id);
        if let Some(effect) = answered.as_ref().and_then(|stored| Effect::parse(&stored.effect)) {
            answer.effect = effect;
        }
        // A call that timed out has its answer while its keys still run.
        let settle = self.left_running(trail, entry).await;
        let is_answered = answered.is_some();
        if is_answered && settle.is_empty() {
            return answer;
        }
        let call = match answered {
            Some(stored) => stored,
            None => match self.as_lost(record, panic, now) {
                Ok(call) => call,
                Err(error) => {
                    tracing::error!(call_id = %record.call_id, %error, "a lost call can't be recorded");
                    return answer;
                }
            },
        };
        if !is_answered {
            (answer.code, answer.stage) = (Code::OutcomeUnknown, Stage::Execute);
            answer.effect = Effect::parse(&call.effect).unwrap_or(Effect::Unknown);
            answer.message.clone_from(&call.message);
            answer.details.insert("rule".into(), BROKE_OFF.into());
        }
        trail.record = call.into();
        let policy = entry.checked.tool.spec.failure_policy;
        let reach = if is_answered { None } else { Self::stop_reach(policy) };
        let record = Record {
            durable: entry.recorded,
            settle,
            stop: reach.map(|reach| (reach, now)),
            ..Record::of(trail.record.share(), vec![trail.event("lost", now)])
        };
        let record = Box::new(record);
        if let Err(error) = self.write_outcome(record, entry.recorded).await {
            tracing::error!(call_id = %trail.record.call_id, %error, "a lost call could not be recorded");
        }
        if reach == Some(StopReach::Session) {
            self.tell_stop(&trail.record);
        }
        answer
    }

    /// The keys of this run that are not settled, to be put in doubt.
    async fn left_running(&self, trail: &Trail, entry: &Entry) -> Vec<Settle> {
        let names: Vec<String> = entry.held.iter().map(|held| held.key.clone()).collect();
        let in_doubt = || entry.held.iter().map(|held| held.settle(Ending::InDoubt));
        let Ok(recalled) = self.store.recall(&names, &trail.record.session).await else {
            return in_doubt().collect();
        };
        let own = |settle: &Settle| {
            let mut keys = recalled.keys.iter().flatten();
            keys.any(|key| key.key == settle.key && key.fence == settle.fence && key.state == KeyState::Running)
        };
        in_doubt().filter(own).collect()
    }

    fn as_lost(&self, record: &CallRecord, panic: &str, now: Millis) -> Result<CallRecord, StoreError> {
        let running = CallRecord { state: CallState::Running.as_str().to_owned(), ..record.clone() };
        let (mut call, _) = lose_call(running, now)?;
        let unknown = call.effect == Effect::Unknown.as_str();
        let text = if unknown { message::effect_unknown(message::BROKEN) } else { message::BROKEN.to_owned() };
        call.rule = Some(BROKE_OFF.to_owned());
        call.message = text;
        call.operator = Some(caught(|| self.redactor.text(panic)).unwrap_or_default());
        Ok(call)
    }
}
