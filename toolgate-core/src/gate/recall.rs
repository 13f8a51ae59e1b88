//! Stage 4, is there an answer already: a read-only look at the ledger before anybody is asked for
//! what is done. What a session may no longer start doesn't hide what it has already done.

use std::sync::Arc;

use serde_json::Value;

use super::answer::Answer;
use super::background::runs_already;
use super::contract::Checked;
use super::hooks::Asking;
use super::policy::Permit;
use super::stored::{Sealed, open_result};
use super::trail::Trail;
use super::undoing::undone_before;
use super::{GateInner, Request, message};
use crate::call::{Code, Stage};
use crate::ledger::{Answer as Known, KeyParts, KeyState, idempotency_key, provider_key};
use crate::session::{Task, TaskInfo};
use crate::spec::Repeat;
use crate::store::{CallRecord, Claim, KeyRecord, Recalled, Stop, StopReach, StoreError};
use crate::tool::{Effect, Recorded};

/// Proof that the ledger has no answer yet, and the keys to claim.
#[derive(Debug)]
pub(super) struct Fresh {
    pub(super) claims: Vec<Claim>,
}

impl GateInner {
    pub(super) async fn recall(
        &self,
        trail: &mut Trail,
        host: &Task,
        request: &Request,
        checked: &Checked,
        permit: &Permit,
    ) -> Result<Fresh, Answer> {
        let task = &*host.info;
        if !checked.tool.spec.risk.is_effectful() {
            permit.require_paths()?;
            self.check_background(task, checked.tool.spec, trail.whole)?;
            self.count(trail, task, request, checked)?;
            return Ok(Fresh { claims: Vec::new() });
        }
        let mut claims = self.claims(trail, task, request, checked);
        let asking = Asking { task: host, request, permit };
        let mut recalled = self.look(&claims, &task.session.bound).await.map_err(|error| unavailable(&error))?;
        if checked.tool.hooks.reconcile.is_some()
            && Box::pin(self.reconcile(trail, asking, checked, &claims, &recalled)).await?
        {
            recalled = self.look(&claims, &task.session.bound).await.map_err(|error| unavailable(&error))?;
        }
        for (claim, known) in claims.iter_mut().zip(&recalled.keys) {
            if let Some(known) = known {
                let answer = self.answer_known(trail, checked, permit, task, claim, known, Some(asking));
                claim.stale = Box::pin(answer).await?;
            }
        }
        if let Some(stop) =
            recalled.stops.iter().find(|stop| stop.refuses(&task.session.bound, &task.id, checked.tool.spec.name))
        {
            return Err(stopped(stop));
        }
        if !task.capabilities.has_effects_left() {
            return Err(limited());
        }
        permit.require_paths()?;
        self.check_background(task, checked.tool.spec, trail.whole)?;
        self.count(trail, task, request, checked)?;
        Ok(Fresh { claims })
    }

    /// Whether the keys still have no answer, after something showed that another call was faster.
    pub(super) async fn still_fresh(
        &self,
        trail: &mut Trail,
        task: &TaskInfo,
        checked: &Checked,
        permit: &Permit,
        fresh: &Fresh,
    ) -> Result<(), Answer> {
        let recalled = self.look(&fresh.claims, &task.session.bound).await.map_err(|error| unavailable(&error))?;
        for (claim, known) in fresh.claims.iter().zip(&recalled.keys) {
            if let Some(known) = known {
                let _ = Box::pin(self.answer_known(trail, checked, permit, task, claim, known, None)).await?;
            }
        }
        Ok(())
    }

    fn claims(&self, trail: &mut Trail, task: &TaskInfo, request: &Request, checked: &Checked) -> Vec<Claim> {
        if let Some(undoing) = &checked.undoes {
            let claim = self.undo_claim_of(&undoing.of);
            trail.record.key = Some(claim.key.clone());
            return vec![claim];
        }
        let spec = checked.tool.spec;
        let principal = task.session.principal.as_str();
        let parts = [spec.name.as_bytes(), checked.tool.digest.as_bytes(), checked.bound().as_bytes()];
        let fingerprint = self.key.digest("toolgate.fingerprint.v1", &parts);
        let mut claims = Vec::with_capacity(2);
        if spec.repeat.is_keyed() {
            let key = idempotency_key(&KeyParts {
                tenant: &self.tenant,
                principal,
                tool: spec.name,
                scope: &trail.scope,
                subject: checked.subject(),
            });
            trail.record.key = Some(key.clone());
            claims.push(Claim { key, fingerprint: fingerprint.clone(), repeat: spec.repeat, stale: None });
        }
        if !spec.repeat.is_keyed()
            && let Some(key) = self.step_key(trail, principal, request, checked)
        {
            trail.step_key = Some(key.clone());
            claims.push(Claim { key, fingerprint: fingerprint.clone(), repeat: Repeat::Once, stale: None });
        }
        if let Some(id) = &request.call.provider_call_id {
            let key = provider_key(&self.tenant, principal, &task.session.id, id);
            // The same message again is the same call, however the tool treats repeats.
            let repeat = if spec.repeat == Repeat::Idempotent { Repeat::Idempotent } else { Repeat::Once };
            claims.push(Claim { key, fingerprint, repeat, stale: None });
        }
        claims
    }

    /// Reads the keys; what a dead owner left is named first.
    async fn look(&self, claims: &[Claim], session: &str) -> Result<Recalled, StoreError> {
        if self.unsure.is_some() {
            Box::pin(self.take_back_rest()).await;
        }
        let keys: Vec<String> = claims.iter().map(|claim| claim.key.clone()).collect();
        let recalled = self.store.recall(&keys, session).await?;
        let may_live = self.may_live();
        let is_orphan = |key: &KeyRecord| key.state == KeyState::Running && !may_live(&key.owner);
        if !recalled.lapsed && !recalled.keys.iter().flatten().any(is_orphan) {
            return Ok(recalled);
        }
        self.name_dead().await?;
        self.store.recall(&keys, session).await
    }

    /// Ends the call where the ledger has its answer. Otherwise the call whose answer no longer holds,
    /// where there is one. Without `asking` the tool isn't asked about an answer that was given just now.
    #[expect(clippy::too_many_arguments, reason = "what the stages before it found out")]
    pub(super) async fn answer_known(
        &self,
        trail: &mut Trail,
        checked: &Checked,
        permit: &Permit,
        task: &TaskInfo,
        claim: &Claim,
        known: &KeyRecord,
        asking: Option<Asking<'_>>,
    ) -> Result<Option<String>, Answer> {
        if known.fingerprint != claim.fingerprint {
            let answer = Answer::refuse(
                Code::IdempotencyConflict,
                Stage::Recall,
                "idem.fingerprint_mismatch",
                message::CONFLICT,
            );
            return Err(answer.detail("first_call", known.call_id.as_str()));
        }
        if let Some(undoing) = checked.undoes.as_ref().filter(|_| known.state == KeyState::Succeeded) {
            return Err(undone_before(undoing, &known.call_id));
        }
        match known.state.answer(claim.repeat, known.attempts) {
            Known::Run => {
                self.run_again(trail, checked, known).await?;
                if trail.record.key.as_ref() == Some(&claim.key) && claim.repeat == Repeat::Idempotent {
                    let before = self.look_up(&known.call_id).await?;
                    trail.record.anew_after = before.and_then(|record| record.anew_after);
                }
                Ok(None)
            }
            Known::Duplicate => {
                let first = if checked.tool.spec.background { self.look_up(&known.call_id).await? } else { None };
                Err(runs_already(&known.call_id, first.is_some_and(|first| first.background)))
            }
            Known::OutcomeUnknown => {
                let answer = Answer::refuse(Code::OutcomeUnknown, Stage::Recall, "idem.in_doubt", message::UNKNOWN);
                Err(answer.effect(Effect::Unknown).detail("first_call", known.call_id.as_str()))
            }
            Known::Expired => {
                Err(Answer::refuse(Code::OutcomeUnknown, Stage::Recall, "idem.key_expired", message::EXPIRED_KEY))
            }
            Known::Replay => self.replay(trail, checked, permit, task, claim, known, asking).await,
        }
    }

    /// A run that had no effect is followed by another one, unless a fallback has stood in for it.
    async fn run_again(&self, trail: &mut Trail, checked: &Checked, known: &KeyRecord) -> Result<(), Answer> {
        if known.state != KeyState::FailedNoEffect {
            return Ok(());
        }
        let Some(fallback) = self.answering(&known.call_id).await?.filter(|by| by.call_id != known.call_id) else {
            return Ok(());
        };
        if !self.has_stood_in(&fallback).await? {
            return Ok(());
        }
        let kept = self.kept_result(&fallback).await?;
        Err(self.give_again(trail, checked, &fallback, kept))
    }

    /// The recorded answer of that call, which may be another tool's, a fallback's.
    fn give_again(&self, trail: &mut Trail, checked: &Checked, record: &CallRecord, kept: Option<Sealed>) -> Answer {
        trail.record.replay_of = Some(record.call_id.clone());
        trail.record.untrusted |= self.was_untrusted(record);
        let spec = self.tools.get(&record.tool).map_or(checked.tool.spec, |tool| tool.spec);
        self.recorded(record, kept, spec, trail.whole)
    }

    /// The recorded answer once more; the name of its call where it no longer holds and the tool may
    /// run again.
    #[expect(clippy::too_many_arguments, reason = "as of its caller")]
    async fn replay(
        &self,
        trail: &mut Trail,
        checked: &Checked,
        permit: &Permit,
        task: &TaskInfo,
        claim: &Claim,
        known: &KeyRecord,
        asking: Option<Asking<'_>>,
    ) -> Result<Option<String>, Answer> {
        let first = known.call_id.as_str();
        let Some(record) = self.answering(first).await? else {
            let answer = Answer::refuse(Code::OutcomeUnknown, Stage::Recall, "idem.key_expired", message::EXPIRED_KEY);
            return Err(answer.detail("first_call", first));
        };
        if record.call_id != first {
            let _ = self.has_stood_in(&record).await?;
        }
        let kept = self.kept_result(&record).await?;
        // The same message of a provider is the same call, whatever has become of its file.
        let is_operation = trail.record.key.as_ref() == Some(&claim.key);
        let may_run = is_operation && known.state == KeyState::Succeeded && claim.repeat == Repeat::Idempotent;
        let mut holds = kept.as_ref().is_none_or(|kept| still_holds(kept, permit, task));
        if let Some(asking) = asking.filter(|_| may_run && holds && record.call_id == first) {
            holds = self.verified(trail, asking, checked, &record, kept.as_ref()).await?;
        }
        if may_run && !holds {
            trail.record.repairs.push(format!("the result of {first} no longer holds: run again"));
            trail.record.anew_after = Some(first.to_owned());
            return Ok(Some(first.to_owned()));
        }
        Err(self.give_again(trail, checked, &record, kept))
    }

    /// What the tool itself says about its recorded result; without a `verify`, it holds.
    async fn verified(
        &self,
        trail: &mut Trail,
        asking: Asking<'_>,
        checked: &Checked,
        record: &CallRecord,
        kept: Option<&Sealed>,
    ) -> Result<bool, Answer> {
        let Some(hook) = &checked.tool.hooks.verify else {
            return Ok(true);
        };
        let mut recorded = Recorded::new(&record.call_id, checked.value());
        if let Some(kept) = kept {
            recorded = recorded.with_result(kept.value.clone());
        }
        if let Some(key) = &record.key {
            recorded = recorded.with_key(key);
        }
        if let Some(started) = record.started_ms {
            recorded = recorded.with_start(started);
        }
        let about = (Arc::new(record.clone()), recorded);
        Box::pin(self.ask_hook(trail, asking, &checked.tool, hook, about)).await.map_err(|silent| {
            let answer = Answer::refuse(Code::OutcomeUnknown, Stage::Recall, "idem.unverified", message::UNVERIFIED);
            let answer = answer.effect(Effect::Unknown).detail("first_call", record.call_id.as_str());
            let answer = answer.operator(format!("`verify` gave no answer: {}", silent.why));
            if silent.retryable { answer.retryable() } else { answer }
        })
    }

    pub(super) async fn kept_result(&self, record: &CallRecord) -> Result<Option<Sealed>, Answer> {
        let stored = self.store.result(&record.call_id).await.map_err(|error| unavailable(&error))?;
        match stored.map(|stored| open_result(&self.key, &stored)).transpose() {
            Ok(kept) => Ok(kept),
            Err(error) => {
                let effect = Effect::parse(&record.effect).unwrap_or(Effect::Unknown);
                Err(Answer::refuse(Code::AuditUnavailable, Stage::Recall, "store.sealed", message::UNREADABLE)
                    .effect(effect)
                    .detail("first_call", record.call_id.as_str())
                    .operator(error.to_string()))
            }
        }
    }
}

/// A limit is policy's, though looked at after the ledger: what is done is still told.
pub(super) fn limited() -> Answer {
    Answer::refuse(Code::LimitExceeded, Stage::Policy, "limit.calls", message::LIMIT)
}

/// Whether what a call wrote is still what it left.
fn still_holds(kept: &Sealed, permit: &Permit, task: &TaskInfo) -> bool {
    let Some(workspace) = &task.session.workspace else {
        return kept.files.is_empty();
    };
    kept.files.iter().all(|(pointer, left)| {
        let path = permit.paths.iter().find(|path| path.pointer == *pointer);
        path.and_then(|path| workspace.pin(&path.text).ok()).is_some_and(|now| now == *left)
    })
}

/// The store can't be asked: nothing runs.
pub(super) fn unavailable(error: &StoreError) -> Answer {
    Answer::refuse(Code::AuditUnavailable, Stage::Audit, "store.unavailable", message::AUDIT_BEFORE)
        .retryable()
        .operator(error.to_string())
}

/// As a limit: policy's, and it hides no replay.
pub(super) fn stopped(stop: &Stop) -> Answer {
    let details: Value = stop.call_id.as_str().into();
    let text = match stop.reach {
        StopReach::Tool => message::CLOSED_BEFORE,
        StopReach::Session => message::STOPPED,
    };
    Answer::refuse(Code::TaskAborted, Stage::Policy, "task.stopped", text).detail("stopped_by", details)
}
