//! Stage 8, the tool's own run: panics caught, time bounded, retried where the policy says so. The
//! run lives in a task of its own; a caller that stops waiting stops neither it nor its record.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::answer::Answer;
use super::background::{Slot, cancelled};
use super::body::Body;
use super::claim::{Entry, Run};
use super::done::{Done, worse};
use super::faults::FaultPoint;
use super::inner::{Caller, Closing, Outer};
use super::policy::Permit;
use super::pool::Place;
use super::run_end::RunEnd;
use super::trail::Trail;
use super::{GateInner, Reply, Request};
use crate::session::Task;
use crate::spec::{EffectMarks, FailurePolicy, RegisteredTool, ToolSpec};
use crate::tool::{About, Cancellation, Context, ContextParts, CredentialSource, InnerCalls, Invocation};

enum Attempt {
    Ended(RunEnd),
    /// Nobody waits any more; what still runs, where it may have an effect.
    TimedOut(Option<Body>),
    /// Nobody is left to wait: what goes on though it was told to stop.
    Detached(Body),
    /// Nobody is left to wait, and nothing is left that could have an effect.
    GivenUp,
    /// The lease is over: what goes on because it can't be stopped.
    Unleased(Option<Body>),
}

/// Why a run is no longer waited for.
enum Over {
    Time,
    Lease,
    /// Nobody is left who waits.
    Waiting,
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
            let attempt = self.attempt(trail, task, request, entry, reply).await;
            self.note_soft(trail, entry.run.noted());
            let Attempt::Ended(end) = &attempt else {
                break attempt;
            };
            let Some(wait) = self.retry_after(entry.checked.tool.spec, end, trail.record.attempts) else {
                break attempt;
            };
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = self.given_up(trail, task, request, reply) => break attempt,
            }
            entry.earlier = worse(entry.earlier, self.effect_of(entry, end));
            trail.record.attempts += 1;
            if let Err(answer) = self.prepare_again(task, entry) {
                let done = Done::refused(entry, answer);
                self.finish(trail, task, request, entry, done, reply).await;
                return;
            }
        };
        let (done, body) = match attempt {
            Attempt::Ended(end) => {
                self.at(FaultPoint::Returned, trail).await;
                (self.judge(entry, end), None)
            }
            Attempt::TimedOut(body) => (Done::timed_out(entry, body.is_some()), body),
            Attempt::Unleased(body) => (Done::unleased(entry, body.is_some()), body),
            Attempt::Detached(body) => {
                entry.run.detached = true;
                (Done::detached(entry), Some(body))
            }
            Attempt::GivenUp => (Done::given_up(entry), None),
        };
        let done = if is_cancelled(trail) { done.after_cancel() } else { done };
        self.finish(trail, task, request, entry, done, reply).await;
        if let Some(body) = body {
            let end = body.await;
            Box::pin(self.record_late(trail, task, entry, end)).await;
        }
    }

    async fn attempt(
        &self,
        trail: &Trail,
        task: &Task,
        request: &Request,
        entry: &mut Entry,
        reply: &mut Option<Reply>,
    ) -> Attempt {
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
                tokio::select! {
                    biased;
                    place = pool.place(lent) => match place {
                        Some(place) => Some(place),
                        None => return Attempt::Ended(RunEnd::Busy),
                    },
                    () = self.given_up(trail, task, request, reply) => return Attempt::GivenUp,
                }
            }
        };
        if is_cancelled(trail) {
            return Attempt::GivenUp;
        }
        if within.is_some_and(|outer| outer.still_runs().is_err()) {
            return Attempt::Ended(RunEnd::Over);
        }
        let effectful = tool.spec.risk.is_effectful();
        if effectful && !self.lease.holds() {
            return Attempt::Ended(RunEnd::Unleased);
        }
        let allowed = within.map_or(tool.spec.timeout, |outer| outer.left().min(tool.spec.timeout));
        let ends = Instant::now() + allowed;
        let before = Some(entry.run.effect());
        let (mut body, cancel, _closing) = match invocation {
            // A read that asks for no context makes no calls and hears of nothing.
            Invocation::Future(run) if !effectful => {
                entry.run = Run { allowed, before, ..Run::default() };
                (Body::of_future(run), None, None)
            }
            invocation => {
                let (cancel, cancellation) = Cancellation::channel();
                let outer = Arc::new(self.outer(trail, within, entry, ends, place.as_ref(), &cancellation));
                if let Some(before) = &entry.run.outer {
                    outer.asked.go_on(&before.asked);
                }
                let closing = Closing(Arc::clone(&outer));
                let made = Arc::clone(&outer);
                let context = self.context(trail, task, &entry.permit, cancellation, made, place.is_some());
                let kept = Some(context.clone());
                entry.run = Run { allowed, before, outer: Some(outer), context: kept, detached: false };
                (Body::new(invocation, place, context), Some(cancel), Some(closing))
            }
        };
        let over = tokio::select! {
            biased;
            () = self.lease.is_over_now(), if effectful => Over::Lease,
            end = &mut body => return Attempt::Ended(end),
            // Made when it is first waited for: many a body is ready at once.
            () = async { tokio::time::sleep_until(ends).await } => Over::Time,
            () = self.lease.is_over(), if effectful => Over::Lease,
            () = self.given_up(trail, task, request, reply) => Over::Waiting,
        };
        if let Some(cancel) = cancel {
            cancel.cancel();
        }
        match over {
            Over::Time => Attempt::TimedOut(Self::may_still_act(entry).then_some(body)),
            Over::Lease => self.without_lease(body).await,
            Over::Waiting => self.without_caller(entry, body, ends).await,
        }
    }

    /// Nobody is left to wait: the tool has the grace to end by itself.
    async fn without_caller(&self, entry: &Entry, mut body: Body, ends: tokio::time::Instant) -> Attempt {
        let grace = tokio::time::Instant::now() + self.grace;
        tokio::select! {
            biased;
            end = &mut body => Attempt::Ended(end),
            () = tokio::time::sleep_until(ends.min(grace)) => {
                if Self::may_still_act(entry) { Attempt::Detached(body) } else { Attempt::GivenUp }
            },
        }
    }

    /// Whether a run that nobody waits for any more may still change something. One whose tool says when its effect
    /// begins, and hasn't, is kept from it.
    fn may_still_act(entry: &Entry) -> bool {
        let spec = entry.checked.tool.spec;
        spec.risk.is_effectful() && !(spec.effects == EffectMarks::Marked && entry.close_effect())
    }

    /// Ends when nobody is left to wait for the call: its caller is gone or was itself given up, its task was
    /// cancelled, the gate shuts down; or when it runs in the background, and it was cancelled.
    async fn given_up(&self, trail: &Trail, task: &Task, request: &Request, reply: &mut Option<Reply>) {
        let gone = async {
            match reply {
                Some(reply) => reply.gone().await,
                None => std::future::pending().await,
            }
        };
        let outer = async {
            match &request.within {
                Some(outer) => outer.cancellation.cancelled().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = gone => {}
            () = cancelled(trail.slot.as_ref()) => {}
            () = outer => {}
            () = task.info.given_up.told() => {}
            () = self.given_up.told() => {}
        }
    }

    /// Others may act soon: what can be stopped is, once it had the rest of the lease to end by itself. A
    /// sync function can't be stopped; what it did is told when it ends.
    async fn without_lease(&self, mut body: Body) -> Attempt {
        let left = self.lease.left_with_margin();
        if !left.is_zero()
            && let Ok(end) = tokio::time::timeout(left, &mut body).await
        {
            return Attempt::Ended(end);
        }
        let goes_on = matches!(body, Body::Blocking(_));
        Attempt::Unleased(goes_on.then_some(body))
    }

    /// What the calls of this run are part of.
    fn outer(
        &self,
        trail: &Trail,
        within: Option<&Outer>,
        entry: &Entry,
        ends: Instant,
        place: Option<&Place>,
        cancellation: &Cancellation,
    ) -> Outer {
        // A run because the earlier answer no longer holds is another operation for what it calls.
        let key = entry.held.first().map(|held| match &trail.record.anew_after {
            Some(first) => format!("{}/anew:{first}", held.key),
            None => held.key.clone(),
        });
        let mut outer = Outer::new(&trail.record, entry.checked.tool.spec, within, key, ends);
        outer.strangers = Arc::clone(&trail.strangers);
        outer.cancellation = cancellation.clone();
        outer.governed_by(&entry.permit);
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
            credentials: Some(Arc::clone(&services) as Arc<dyn CredentialSource>),
            notes: Some(services),
            capabilities: permit.capabilities.as_ref().unwrap_or(&task.info.capabilities).clone(),
            ends,
        })
    }

    /// How long to wait before the next run, where there is one.
    fn retry_after(&self, spec: &ToolSpec, end: &RunEnd, attempts: u32) -> Option<Duration> {
        let FailurePolicy::Retry { max, backoff } = spec.failure_policy else {
            return None;
        };
        let RunEnd::Failed(error) = end else {
            return None;
        };
        // A refusal stays one, and what a person is asked isn't asked again.
        if !error.retryable || error.inner.is_some() || error.code.is_some() || attempts > max {
            return None;
        }
        // Nobody waits in a call for longer than for a run; the model is told when instead.
        let asked = error.wait.unwrap_or_default();
        if asked > spec.timeout {
            return None;
        }
        let doubled = backoff.saturating_mul(1 << (attempts - 1).min(10));
        // Half of the wait is jitter, so that many gates don't come back at once.
        let share = u32::from(self.jitter());
        let wait = doubled / 2 + doubled / 2 * share / 255;
        // Not before the time that was asked for, and not all at that time.
        Some(if asked.is_zero() { wait } else { asked + wait / 2 })
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
