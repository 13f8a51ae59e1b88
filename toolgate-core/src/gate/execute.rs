//! Stage 8, the tool's own run: panics caught, time bounded, retried where the policy says so. The
//! run lives in a task of its own; a caller that stops waiting stops neither it nor its record.

use std::sync::Arc;
use std::time::Duration;

use super::answer::Answer;
use super::background::{Slot, cancelled};
use super::body::Body;
use super::claim::{Entry, Run};
use super::faults::FaultPoint;
use super::inner::{Caller, Closing, Outer};
use super::outcome::{Done, worse};
use super::policy::Permit;
use super::pool::Place;
use super::run_end::RunEnd;
use super::trail::Trail;
use super::{GateInner, Reply, Request};
use crate::session::Task;
use crate::spec::{FailurePolicy, RegisteredTool};
use crate::tool::{About, Cancellation, Context, ContextParts, InnerCalls, Invocation};

enum Attempt {
    Ended(RunEnd),
    /// Nobody waits any more; what still runs, where it may have an effect.
    TimedOut(Option<Body>),
    /// As after a timeout: it was cancelled, and its tool did not end in time.
    Cancelled(Option<Body>),
}

impl GateInner {
    /// Runs the tool, records how it ended and answers.
    pub(super) async fn execute(
        self: &Arc<Self>,
        trail: &mut Trail,
        task: &Task,
        request: &Request,
        entry: &mut Entry,
        reply: &mut Option<Reply>,
    ) {
        let effectful = entry.checked.tool.spec.risk.is_effectful();
        if let Some(outer) = request.within.as_ref().filter(|_| effectful) {
            outer.began();
        }
        if self.hand_over(trail, entry, reply) {
            // Whoever made it has the answer before the tool takes its first step.
            tokio::task::yield_now().await;
        }
        let attempt = loop {
            self.at(FaultPoint::Claimed, trail).await;
            let attempt = self.attempt(trail, task, request, entry).await;
            let Attempt::Ended(end) = &attempt else {
                break attempt;
            };
            let Some(wait) = self.retry_after(entry.checked.tool.spec.failure_policy, end, trail.record.attempts)
            else {
                break attempt;
            };
            if is_cancelled(trail) || waits(wait, trail).await.is_err() {
                break attempt;
            }
            entry.earlier = worse(entry.earlier, self.effect_of(entry, end));
            trail.record.attempts += 1;
            if let Err(answer) = self.prepare_again(task, entry) {
                let done = Done::refused(entry, answer);
                self.finish(trail, task, request, entry, done, reply).await;
                return;
            }
        };
        let timed_out = matches!(attempt, Attempt::TimedOut(_));
        match attempt {
            Attempt::Ended(end) => {
                self.at(FaultPoint::Returned, trail).await;
                let done = self.judge(entry, end);
                let done = if is_cancelled(trail) { done.after_cancel() } else { done };
                self.finish(trail, task, request, entry, done, reply).await;
            }
            Attempt::TimedOut(body) | Attempt::Cancelled(body) => {
                let done = if timed_out { Done::timed_out(entry) } else { Done::given_up(entry) };
                self.finish(trail, task, request, entry, done, reply).await;
                if let Some(body) = body {
                    let end = body.await;
                    Box::pin(self.record_late(trail, task, entry, end)).await;
                }
            }
        }
    }

    async fn attempt(&self, trail: &Trail, task: &Task, request: &Request, entry: &mut Entry) -> Attempt {
        let tool = Arc::clone(&entry.checked.tool);
        let Some(invocation) = entry.checked.prepared.take() else {
            return Attempt::Ended(RunEnd::Panicked("the arguments of a run were used up".to_owned()));
        };
        let within = request.within.as_deref();
        let lent = within.and_then(|outer| outer.lent.as_ref());
        let place = match &invocation {
            Invocation::Future(_) | Invocation::Async(_) => None,
            // Waiting for a place is not the tool's time.
            Invocation::Blocking(_) => {
                let pool = if trail.slot.is_some() { &self.background.pool } else { &self.pool };
                match pool.place(lent).await {
                    Some(place) => Some(place),
                    None => return Attempt::Ended(RunEnd::Busy),
                }
            }
        };
        if is_cancelled(trail) || within.is_some_and(|outer| outer.still_runs().is_err()) {
            return Attempt::Ended(RunEnd::Over);
        }
        let allowed = within.map_or(tool.spec.timeout, |outer| outer.left().min(tool.spec.timeout));
        let outer = Arc::new(self.outer(trail, within, entry, allowed, place.as_ref()));
        if let Some(before) = &entry.run.outer {
            outer.asked.go_on(&before.asked);
        }
        entry.run = Run { allowed, before: Some(entry.run.effect()), outer: Some(Arc::clone(&outer)) };
        let _closing = Closing(Arc::clone(&outer));
        let ends = outer.ends;
        let (cancel, cancellation) = Cancellation::channel();
        let context = self.context(trail, task, &entry.permit, cancellation, outer, place.is_some());
        let mut body = Body::new(invocation, place, context);
        tokio::select! {
            biased;
            end = &mut body => Attempt::Ended(end),
            () = cancelled(trail.slot.as_ref()) => {
                cancel.cancel();
                match tokio::time::timeout(self.background.grace(), &mut body).await {
                    Ok(end) => Attempt::Ended(end),
                    Err(_) => Attempt::Cancelled(tool.spec.risk.is_effectful().then_some(body)),
                }
            }
            // Made when it is first waited for: many a body is ready at once.
            () = async { tokio::time::sleep_until(ends).await } => {
                cancel.cancel();
                Attempt::TimedOut(tool.spec.risk.is_effectful().then_some(body))
            }
        }
    }

    /// What the calls of this run are part of.
    fn outer(
        &self,
        trail: &Trail,
        within: Option<&Outer>,
        entry: &Entry,
        allowed: Duration,
        place: Option<&Place>,
    ) -> Outer {
        // A run because the earlier answer no longer holds is another operation for what it calls.
        let key = entry.held.first().map(|held| match &trail.record.anew_after {
            Some(first) => format!("{}/anew:{first}", held.key),
            None => held.key.clone(),
        });
        let ends = tokio::time::Instant::now() + allowed;
        let mut outer = Outer::new(&trail.record, entry.checked.tool.spec, within, key, ends);
        outer.strangers = Arc::clone(&trail.strangers);
        if let Some(place) = place {
            outer.lent = Some(place.lend());
        }
        outer
    }

    fn context(
        &self,
        trail: &Trail,
        task: &Task,
        permit: &Permit,
        cancellation: Cancellation,
        outer: Arc<Outer>,
        may_wait: bool,
    ) -> Context {
        let runtime = may_wait.then(tokio::runtime::Handle::current);
        let ends = Some(outer.ends);
        let services = Arc::new(Caller { task: task.clone(), outer, runtime });
        Context::from_parts(ContextParts {
            about: About::Call(trail.record.share()),
            cancellation,
            state: Arc::clone(&self.state),
            workspace: task.info.session.workspace.clone(),
            progress: self.progress_of(trail),
            calls: Some(Arc::clone(&services) as Arc<dyn InnerCalls>),
            credentials: Some(services),
            capabilities: permit.capabilities.as_ref().unwrap_or(&task.info.capabilities).clone(),
            ends,
        })
    }

    /// How long to wait before the next run, where there is one.
    fn retry_after(&self, policy: FailurePolicy, end: &RunEnd, attempts: u32) -> Option<Duration> {
        let FailurePolicy::Retry { max, backoff } = policy else {
            return None;
        };
        let RunEnd::Failed(error) = end else {
            return None;
        };
        // A refusal stays one, and what a person is asked isn't asked again.
        if !error.retryable || error.inner.is_some() || error.code.is_some() || attempts > max {
            return None;
        }
        let doubled = backoff.saturating_mul(1 << (attempts - 1).min(10));
        // Half of the wait is jitter, so that many gates don't come back at once.
        let share = u32::from(self.jitter());
        Some(doubled / 2 + doubled / 2 * share / 255)
    }

    fn jitter(&self) -> u8 {
        let mut byte = [0];
        match getrandom::fill(&mut byte) {
            Ok(()) => byte[0],
            Err(_) => u8::MAX,
        }
    }

    /// Decodes again from the canonical text, and resolves the paths again.
    fn prepare_again(&self, task: &Task, entry: &mut Entry) -> Result<(), Answer> {
        let tool: Arc<RegisteredTool> = Arc::clone(&entry.checked.tool);
        entry.checked.prepared = self.decode(&tool, &entry.checked.canonical)?;
        self.open_again(&task.info, entry)
    }
}

/// Whether the call was cancelled: only one in the background is.
fn is_cancelled(trail: &Trail) -> bool {
    trail.slot.as_ref().is_some_and(Slot::is_cancelled)
}

/// Waits before another run; the error is a cancel.
async fn waits(wait: Duration, trail: &Trail) -> Result<(), ()> {
    tokio::select! {
        () = tokio::time::sleep(wait) => Ok(()),
        () = cancelled(trail.slot.as_ref()) => Err(()),
    }
}
