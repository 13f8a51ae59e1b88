//! Who runs a call to its end: the caller as far as it goes without a wait, a task of its own from there,
//! so that a caller who stops waiting loses nothing. Not what a call does.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;

use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::panics::caught;
use super::{Gate, Reply, Request, broken_off};
use crate::call::{ToolCall, ToolResult};
use crate::session::Task;
use crate::tool::BoxFuture;

/// A call on its way to its record, and where its answer comes from.
type Run = (BoxFuture<'static, ()>, oneshot::Receiver<ToolResult>);

impl Gate {
    pub(crate) async fn call(&self, task: &Task, call: ToolCall) -> ToolResult {
        self.drive(task, Request::of(call)).await
    }

    /// Boxed, because a call may make another: a fallback, or a tool its own.
    pub(super) fn request<'a>(&'a self, task: &'a Task, request: Request) -> BoxFuture<'a, ToolResult> {
        Box::pin(self.drive(task, request))
    }

    /// Runs a call, whatever becomes of the caller; on the gate's runtime, so that the end of the
    /// caller's ends no call.
    pub(super) async fn drive(&self, task: &Task, request: Request) -> ToolResult {
        // A call inside of a call begins in a task of its own: how deep they go is no matter of the stack.
        if request.within.is_none() && self.inner.store.is_quick() && self.inner.home.is_here() {
            self.drive_here(task, request).await
        } else {
            self.drive_apart(task, request).await
        }
    }

    /// The first step is the caller's own, and many calls need no second one. What has to wait goes on in
    /// a task of its own before the caller can stop waiting for it.
    async fn drive_here(&self, task: &Task, request: Request) -> ToolResult {
        let (mut run, receiver) = self.run(task, move || Some(request));
        match poll_fn(|poller| Poll::Ready(caught(|| run.as_mut().poll(poller)))).await {
            Ok(Poll::Ready(())) => {}
            Ok(Poll::Pending) => self.inner.home.spawn(run),
            Err(panic) => {
                tracing::error!(%panic, "a call broke off outside of its stages");
                // Its end may panic, too.
                let _ = caught(|| drop(run));
            }
        }
        receiver.await.unwrap_or_else(|_| broken_off(""))
    }

    async fn drive_apart(&self, task: &Task, request: Request) -> ToolResult {
        let begins = Arc::new(Mutex::new(Some(request)));
        let take = || {
            let begins = Arc::clone(&begins);
            move || begins.lock().unwrap_or_else(PoisonError::into_inner).take()
        };
        let (run, receiver) = self.run(task, take());
        self.inner.home.spawn(run);
        if let Ok(result) = receiver.await {
            return result;
        }
        let has_begun = begins.lock().unwrap_or_else(PoisonError::into_inner).is_none();
        match Handle::try_current() {
            // The gate's runtime has ended before; the caller's is the one there is.
            Ok(here) if !has_begun => {
                let (run, receiver) = self.run(task, take());
                here.spawn(run);
                receiver.await.unwrap_or_else(|_| broken_off(""))
            }
            _ => broken_off(""),
        }
    }

    /// Boxed before it is spawned: the runtime moves a task several times before its first step.
    fn run(&self, task: &Task, begins: impl FnOnce() -> Option<Request> + Send + 'static) -> Run {
        let (sender, receiver) = oneshot::channel();
        let (inner, task) = (Arc::clone(&self.inner), task.clone());
        let (under_way, unanswered) = (self.inner.under_way.enter(), self.inner.under_way.unanswered());
        let run = Box::pin(async move {
            if let Some(request) = begins() {
                inner.record(&task, request, Reply { to: sender, _unanswered: unanswered }).await;
            }
            drop(under_way);
        });
        (run, receiver)
    }
}
