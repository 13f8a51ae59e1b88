//! The body of a tool while it runs, with its panics caught. Not its time, nor what its end means.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context as Poller, Poll};

use super::panics::{Caught, caught};
use super::pool::{Place, Pool};
use super::run_end::RunEnd;
use crate::tool::{BoxFuture, Context, Invocation, Output, ToolError};

/// One run under way.
pub(super) enum Body {
    Async(Caught<'static, Result<Output, ToolError>>),
    Blocking(BoxFuture<'static, RunEnd>),
    /// It ended before its first step.
    Ended(Option<RunEnd>),
}

impl Body {
    /// The run of a function that asks for no context.
    pub(super) fn of_future(run: BoxFuture<'static, Result<Output, ToolError>>) -> Self {
        Self::Async(Caught::new(run))
    }

    /// The run of an invocation; `place` is that of a sync function.
    pub(super) fn new(invocation: Invocation, place: Option<Place>, context: Context) -> Self {
        match (invocation, place) {
            (Invocation::Future(run), _) => Self::of_future(run),
            (Invocation::Async(body), _) => match caught(|| body(context)) {
                Ok(body) => Self::Async(Caught::new(body)),
                Err(panic) => Self::Ended(Some(RunEnd::Panicked(panic))),
            },
            (Invocation::Blocking(body), Some(place)) => Self::Blocking(Box::pin(Pool::run(place, body, context))),
            (Invocation::Blocking(_), None) => Self::Ended(Some(RunEnd::Busy)),
        }
    }
}

impl Future for Body {
    type Output = RunEnd;

    fn poll(self: Pin<&mut Self>, poller: &mut Poller<'_>) -> Poll<RunEnd> {
        match self.get_mut() {
            Self::Async(body) => Pin::new(body).poll(poller).map(RunEnd::of),
            Self::Blocking(body) => body.as_mut().poll(poller),
            Self::Ended(end) => end.take().map_or(Poll::Pending, Poll::Ready),
        }
    }
}
