//! Calls that a running tool makes: each passes the whole gate, as part of the call it is made in. Held
//! here is what ties the two: risk, depth, time, the operation, and the place in the pool.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::Instant;

use super::answer::Answer;
use super::contract::Checked;
use super::credentials::Asked;
use super::done::worse;
use super::governed::Soft;
use super::noted::Noted;
use super::policy::Permit;
use super::pool::Lent;
use super::taint::Strangers;
use super::trail::{OPERATION, Trail};
use super::{GateInner, Request, broken_off, message};
use crate::call::{Code, Stage, ToolCall, ToolResult};
use crate::ledger::{KeyParts, idempotency_key};
use crate::policy::{Decision, Verdict};
use crate::session::{Capabilities, Task};
use crate::spec::{Risk, ToolSpec};
use crate::store::{CallRecord, PolicyRecord};
use crate::tool::{BoxFuture, Cancellation, Effect, InnerCalls};

/// How deep tools may call each other.
const MAX_DEPTH: u32 = 8;
/// What the scope of an inner call begins with.
pub(super) const INNER: &str = "inner:";

/// One run of a tool, for the calls it makes.
#[derive(Debug)]
pub(super) struct Outer {
    /// The call that runs.
    pub(super) call_id: String,
    pub(super) tool: &'static str,
    pub(super) risk: Risk,
    /// Why the model made the call, for those who are asked about what is made in it.
    reason: Option<String>,
    /// 0 for a model's own call.
    pub(super) depth: u32,
    /// The key that this call holds, where it holds one: a run again has the same.
    pub(super) key: Option<String>,
    /// When its time is over.
    pub(super) ends: Instant,
    /// The place in the pool that a sync tool has while it waits for a call.
    pub(super) lent: Option<Lent>,
    /// Whether a call in it gave something untrusted.
    pub(super) strangers: Strangers,
    /// The credentials that it asks for.
    pub(super) asked: Asked,
    /// Whether it was told to stop.
    pub(super) cancellation: Cancellation,
    /// What the task may do, where that is another than it was given.
    pub(super) may: Option<Capabilities>,
    /// Grants that aren't enforced yet.
    pub(super) soft: Soft,
    /// What was met that isn't enforced.
    pub(super) noted: Noted,
    over: AtomicBool,
    seen: Mutex<Seen>,
}

/// What the calls of one run came to.
#[derive(Debug)]
struct Seen {
    /// The numbers that equal calls of a tool without keys have.
    equal: HashMap<String, BTreeSet<u32>>,
    running: u32,
    worst: Effect,
}

impl Outer {
    pub(super) fn new(
        record: &CallRecord,
        spec: &'static ToolSpec,
        within: Option<&Self>,
        key: Option<String>,
        ends: Instant,
    ) -> Self {
        Self {
            call_id: record.call_id.clone(),
            reason: record.reason.clone(),
            tool: spec.name,
            risk: spec.risk,
            depth: within.map_or(0, |outer| outer.depth + 1),
            key,
            ends,
            strangers: Strangers::default(),
            lent: within.and_then(|outer| outer.lent.clone()),
            asked: Asked::default(),
            cancellation: Cancellation::channel().1,
            may: None,
            soft: Soft::new(),
            noted: Noted::default(),
            over: AtomicBool::new(false),
            seen: Mutex::new(Seen { equal: HashMap::new(), running: 0, worst: Effect::None }),
        }
    }

    /// What it may use is what its call is permitted.
    pub(super) fn governed_by(&mut self, permit: &Permit) {
        self.may.clone_from(&permit.capabilities);
        self.soft.clone_from(&permit.soft);
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the calls did to the world, as far as is known now.
    pub(super) fn effect(&self) -> Effect {
        let seen = self.seen();
        match if seen.running > 0 { Effect::Unknown } else { seen.worst } {
            Effect::Done => Effect::Partial,
            effect => effect,
        }
    }

    /// A call that can change something is run.
    pub(super) fn began(&self) {
        self.seen().running += 1;
    }

    /// It was answered.
    pub(super) fn ended(&self, effect: Effect) {
        let mut seen = self.seen();
        seen.running = seen.running.saturating_sub(1);
        seen.worst = worse(seen.worst, effect);
    }

    /// The number of one more equal call: the lowest that none has.
    fn place(&self, equal: String) -> Place {
        let mut seen = self.seen();
        let taken = seen.equal.entry(equal.clone()).or_default();
        let mut number = 1;
        while taken.contains(&number) {
            number += 1;
        }
        taken.insert(number);
        Place { equal, number }
    }

    /// Gives back the number of a call that has changed nothing: whoever tries it again is not the next.
    fn free(&self, place: &Place) {
        if let Some(taken) = self.seen().equal.get_mut(&place.equal) {
            taken.remove(&place.number);
        }
    }

    /// From now on no call begins.
    pub(super) fn close(&self) {
        self.over.store(true, Ordering::SeqCst);
    }

    /// What is left of its time.
    pub(super) fn left(&self) -> Duration {
        self.ends.saturating_duration_since(Instant::now())
    }

    /// Ends a call whose outer call is over, or given up.
    pub(super) fn still_runs(&self) -> Result<(), Answer> {
        if !self.over.load(Ordering::SeqCst) && !self.left().is_zero() {
            return Ok(());
        }
        Err(Answer::refuse(Code::Cancelled, Stage::Policy, "inner.over", message::OVER))
    }

    /// The scope of a call made in this run: the same in a run again.
    fn scope(&self, operation: Option<&str>) -> String {
        let own = self.key.as_deref().unwrap_or(&self.call_id);
        match operation {
            Some(operation) => format!("{INNER}{own}/{OPERATION}{operation}"),
            None => format!("{INNER}{own}"),
        }
    }
}

/// Which of the equal calls of a run one is.
#[derive(Debug)]
pub(super) struct Place {
    equal: String,
    number: u32,
}

/// Closes a run for further calls, however it ends.
pub(super) struct Closing(pub(super) Arc<Outer>);

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// The way of a running tool to the gate.
#[derive(Clone)]
pub(super) struct Caller {
    pub(super) task: Task,
    pub(super) outer: Arc<Outer>,
    /// For a tool on a thread that may wait.
    pub(super) runtime: Option<Handle>,
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Caller").field("outer", &self.outer).finish_non_exhaustive()
    }
}

impl InnerCalls for Caller {
    fn call(&self, call: ToolCall) -> BoxFuture<'static, ToolResult> {
        let (task, outer) = (self.task.clone(), Arc::clone(&self.outer));
        Box::pin(async move {
            let scope = outer.scope(call.operation.as_deref());
            let call = ToolCall {
                provider_call_id: None,
                parent: Some(outer.call_id.clone()),
                reasoning: call.reasoning.clone().or_else(|| outer.reason.clone()),
                ..call
            };
            let within = Some(Arc::clone(&outer));
            let request = Request { within, scope: Some(scope), ..Request::of(call) };
            let result = task.gate.request(&task, request).await;
            // A recorded answer, or one in doubt, is an effect of this operation, though not of this run.
            let mut seen = outer.seen();
            seen.worst = worse(seen.worst, result.effect);
            drop(seen);
            result
        })
    }

    fn call_blocking(&self, call: ToolCall) -> ToolResult {
        let Some(runtime) = &self.runtime else {
            return ToolResult::refused(Code::PermissionDenied, Stage::Policy, "inner.blocking", message::BLOCKING);
        };
        let (sender, receiver) = std::sync::mpsc::sync_channel(1);
        let run = self.call(call);
        runtime.spawn(async move {
            // A thread that is gone waits no more.
            let _ = sender.send(run.await);
        });
        receiver.recv().unwrap_or_else(|_| broken_off(""))
    }
}

impl GateInner {
    /// What a call may not do because of the call it is made in.
    pub(super) fn check_outer(&self, trail: &mut Trail, request: &Request, checked: &Checked) -> Result<(), Answer> {
        let Some(outer) = &request.within else {
            return Ok(());
        };
        outer.still_runs()?;
        let (code, rule, text) = if outer.depth >= MAX_DEPTH {
            (Code::LimitExceeded, "inner.depth", message::TOO_DEEP)
        } else if checked.tool.spec.risk > outer.risk {
            (Code::PermissionDenied, "inner.risk", message::RISKIER)
        } else {
            return Ok(());
        };
        let decision = Decision::new(Verdict::Deny, rule, text);
        trail.record.policy = Some(PolicyRecord {
            decision: decision.verdict.as_str().to_owned(),
            policy: self.policy().version(),
            rule: decision.rule,
            reason: decision.reason,
        });
        Err(Answer::refuse(code, Stage::Policy, rule, text))
    }

    /// Gives back the place of an inner call that has changed nothing. One whose failure is only told again
    /// keeps it: no run of that number comes any more.
    pub(super) fn free_place(&self, trail: &mut Trail, request: &Request, ok: bool, effect: Effect) {
        if let Some(place) = trail.place.take()
            && let Some(outer) = &request.within
            && !ok
            && effect == Effect::None
            && trail.record.replay_of.is_none()
        {
            outer.free(&place);
        }
    }

    /// The key of a call to a tool without keys, made in one that has one: the n-th equal call of a run
    /// that changes something is the n-th of a run again.
    pub(super) fn step_key(
        &self,
        trail: &mut Trail,
        principal: &str,
        request: &Request,
        checked: &Checked,
    ) -> Option<String> {
        if request.step.is_some() {
            return request.step.clone();
        }
        let outer = request.within.as_ref()?;
        outer.key.as_ref()?;
        let tool = checked.tool.spec.name;
        let place = outer.place(format!("{tool} {} {}", trail.scope, checked.digest));
        let scope = format!("{}/step:{}", trail.scope, place.number);
        trail.place = Some(place);
        Some(idempotency_key(&KeyParts {
            tenant: &self.tenant,
            principal,
            tool,
            scope: &scope,
            subject: &checked.digest,
        }))
    }
}
