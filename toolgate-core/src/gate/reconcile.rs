//! Asks a `once` tool what became of a run that nobody heard the end of, before a person must. Its answer settles the
//! keys of that run, if they are still those that were looked at: two who ask at once settle them once. A run that
//! still goes on is none of this.

use std::sync::Arc;

use serde_json::Value;

use super::GateInner;
use super::answer::Answer;
use super::contract::Checked;
use super::hooks::Asking;
use super::message;
use super::recall::unavailable;
use super::stored::{Sealed, seal_result};
use super::trail::Trail;
use crate::call::{Code, Stage};
use crate::ledger::{Ending, KeyState};
use crate::spec::{FailurePolicy, Repeat};
use crate::store::{
    CallRecord, CallStory, Claim, Event, KeyRecord, Millis, Recalled, Record, Settle, StoreError, StoreFault, Write,
    write_one,
};
use crate::tool::{Effect, Reconciled, Recorded};

/// Events that tell of a run itself, not of what was said about it afterwards.
const OF_A_RUN: [&str; 5] = ["started", "finished", "detached", "lost", "late_result"];

impl GateInner {
    /// Whether the ledger is to be looked at again, because a run in doubt was settled.
    pub(super) async fn reconcile(
        &self,
        trail: &mut Trail,
        asking: Asking<'_>,
        checked: &Checked,
        claims: &[Claim],
        recalled: &Recalled,
    ) -> Result<bool, Answer> {
        let Some(hook) = &checked.tool.hooks.reconcile else {
            return Ok(false);
        };
        let in_doubt = |(claim, known): (&Claim, &Option<KeyRecord>)| {
            let known = known.as_ref()?;
            let is_own = known.fingerprint == claim.fingerprint && claim.repeat == Repeat::Once;
            (is_own && known.state == KeyState::InDoubt).then(|| known.clone())
        };
        let Some(known) = claims.iter().zip(&recalled.keys).find_map(in_doubt) else {
            return Ok(false);
        };
        let Some(story) = self.store.call(&known.call_id).await.map_err(|error| unavailable(&error))? else {
            return Ok(false);
        };
        self.settled_down(&story, &known, checked)?;
        let record = Arc::new(story.record);
        let mut recorded = Recorded::new(&record.call_id, checked.value());
        if let Some(key) = &record.key {
            recorded = recorded.with_key(key);
        }
        if let Some(started) = record.started_ms {
            recorded = recorded.with_start(started);
        }
        let asked = self.ask_hook(trail, asking, &checked.tool, hook, (Arc::clone(&record), recorded)).await;
        let fell_back = matches!(checked.tool.spec.failure_policy, FailurePolicy::Fallback { .. });
        let answer = match asked {
            // What its fallback did, this tool can't know.
            Ok(Reconciled::NotApplied) if fell_back => return Err(in_doubt_still(&known, "its fallback may have run")),
            Ok(Reconciled::Unknown) => return Err(in_doubt_still(&known, "`reconcile` can't say what became of it")),
            Ok(answer) => answer,
            Err(silent) => {
                let answer = in_doubt_still(&known, &format!("`reconcile` gave no answer: {}", silent.why));
                let answer = answer.detail("rule", "idem.reconcile_failed");
                return Err(if silent.retryable { answer.retryable() } else { answer });
            }
        };
        self.settle(trail, checked, &record, &known, recalled, answer).await.map_err(|error| unavailable(&error))?;
        Ok(true)
    }

    /// Ends a call that comes before the world has settled down after the loss of the run.
    fn settled_down(&self, story: &CallStory, known: &KeyRecord, checked: &Checked) -> Result<(), Answer> {
        let of_its_run = story.events.iter().filter(|event| OF_A_RUN.contains(&event.kind.as_str()));
        let lost = of_its_run.map(|event| event.at_ms).max().unwrap_or(known.claimed_ms);
        let settle = Millis::try_from(checked.tool.spec.settle.as_millis()).unwrap_or(Millis::MAX);
        let left = lost.saturating_add(settle).saturating_sub(self.clock.now_ms());
        if left <= 0 {
            return Ok(());
        }
        let answer = Answer::refuse(Code::OutcomeUnknown, Stage::Recall, "idem.settling", message::SETTLING);
        let answer = answer.effect(Effect::Unknown).retryable().detail("first_call", known.call_id.as_str());
        Err(answer.detail("retry_after_ms", left))
    }

    /// Writes what became of the run. Where somebody else was faster, theirs stands.
    async fn settle(
        &self,
        trail: &Trail,
        checked: &Checked,
        first: &Arc<CallRecord>,
        known: &KeyRecord,
        recalled: &Recalled,
        answer: Reconciled,
    ) -> Result<(), StoreError> {
        let now = self.clock.now_ms();
        let mut call = CallRecord::clone(first);
        let (word, ending, value) = match answer {
            Reconciled::Applied(value) => ("applied", Ending::Succeeded, Some(value)),
            Reconciled::NotApplied | Reconciled::Unknown => ("not_applied", Ending::FailedNoEffect, None),
        };
        let effect = if value.is_some() { Effect::Done } else { Effect::None };
        effect.as_str().clone_into(&mut call.effect);
        call.operator = Some(format!("`reconcile` said {word} when {} asked", trail.record.call_id));
        let settle = self.doubtful_keys(first, known, recalled, ending).await?;
        let (mut result, mut outcome) = (None, None);
        if let Some(value) = value {
            outcome = self.outcome(&call, &checked.value(), Some(&value), true, now);
            let (value, blocks) = self.masked_parts(value, &checked.tool.sensitive_result, Vec::new());
            self.note_result_of(&mut call, &checked.tool, &value, &blocks);
            call.untrusted |= self.was_untrusted(first);
            result = seal_result(&self.key, &call.call_id, &call.session, &Sealed::value(value)).ok();
        }
        // The event tells of the record as it is now, which says who asked.
        let call = Arc::new(call);
        let event = Event::of_call(&call, "reconciled", now);
        let record = Record { durable: true, settle, outcome, result, ..Record::of(call, vec![event]) };
        match write_one(&*self.store, Write::Record(Box::new(record))).await {
            Err(error) if error.fault() != StoreFault::Conflict => Err(error),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// The keys that the run has left in doubt: those that were looked at, and that of its own operation.
    async fn doubtful_keys(
        &self,
        first: &CallRecord,
        known: &KeyRecord,
        recalled: &Recalled,
        ending: Ending,
    ) -> Result<Vec<Settle>, StoreError> {
        let is_left = |key: &&KeyRecord| key.call_id == known.call_id && key.state == KeyState::InDoubt;
        let mut keys: Vec<KeyRecord> = recalled.keys.iter().flatten().filter(is_left).cloned().collect();
        if let Some(own) = first.key.as_ref().filter(|own| keys.iter().all(|key| key.key != **own)) {
            let more = self.store.recall(std::slice::from_ref(own), &first.session).await?;
            keys.extend(more.keys.into_iter().flatten().filter(|key| is_left(&key)));
        }
        let settle = |key: KeyRecord| Settle { key: key.key, fence: key.fence, ending, late: true };
        Ok(keys.into_iter().map(settle).collect())
    }
}

/// As without `reconcile`: a person must say.
fn in_doubt_still(known: &KeyRecord, why: &str) -> Answer {
    let answer = Answer::refuse(Code::OutcomeUnknown, Stage::Recall, "idem.in_doubt", message::UNKNOWN);
    let first: Value = known.call_id.as_str().into();
    answer.effect(Effect::Unknown).detail("first_call", first).operator(why)
}
