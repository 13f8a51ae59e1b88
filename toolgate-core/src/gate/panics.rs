//! Panics of foreign code (tools, policies, approvers, decoders) as values. Not those that abort.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::tool::BoxFuture;

/// What a panic said, for the operator only.
pub(super) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("panicked: {}", text.unwrap_or_else(|| "(no text)".to_owned()))
}

/// Runs foreign code; the error is what its panic said.
pub(super) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic_text(&*panic);
        // What was thrown is foreign too: its end may panic, and what that throws is never dropped.
        if let Err(thrown) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
            std::mem::forget(thrown);
        }
        text
    })
}

/// As [`Caught`], of a future that stays where it is: `pin!(Some(future))`.
pub(super) struct CaughtHere<'a, F: Future> {
    future: Pin<&'a mut Option<F>>,
}

impl<'a, F: Future> CaughtHere<'a, F> {
    pub(super) fn new(future: Pin<&'a mut Option<F>>) -> Self {
        Self { future }
    }

    fn end(&mut self) {
        if let Err(panic) = caught(|| self.future.set(None)) {
            tracing::error!(%panic, "the end of a future panicked");
        }
    }
}

impl<F: Future> Future for CaughtHere<'_, F> {
    type Output = Result<F::Output, String>;

    fn poll(mut self: Pin<&mut Self>, poller: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(future) = self.future.as_mut().as_pin_mut() else {
            return Poll::Ready(Err("a future was asked after its end".to_owned()));
        };
        let answer = match caught(|| future.poll(poller)) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(value)) => Ok(value),
            Err(panic) => Err(panic),
        };
        // A value stays one, whatever its future leaves behind.
        self.end();
        Poll::Ready(answer)
    }
}

impl<F: Future> Drop for CaughtHere<'_, F> {
    fn drop(&mut self) {
        self.end();
    }
}

/// A future whose panics are caught, also those of its end.
pub(super) struct Caught<'a, T> {
    future: Option<BoxFuture<'a, T>>,
}

impl<'a, T> Caught<'a, T> {
    pub(super) fn new(future: BoxFuture<'a, T>) -> Self {
        Self { future: Some(future) }
    }

    fn end(&mut self) -> Result<(), String> {
        let future = self.future.take();
        caught(|| drop(future))
    }
}

impl<T> Future for Caught<'_, T> {
    type Output = Result<T, String>;

    fn poll(mut self: Pin<&mut Self>, poller: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(future) = &mut self.future else {
            return Poll::Ready(Err("a future was asked after its end".to_owned()));
        };
        let answer = match caught(|| future.as_mut().poll(poller)) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(value)) => Ok(value),
            Err(panic) => Err(panic),
        };
        // A value stays one, whatever its future leaves behind.
        if let Err(panic) = self.end() {
            tracing::error!(%panic, "the end of a future panicked");
        }
        Poll::Ready(answer)
    }
}

impl<T> Drop for Caught<'_, T> {
    fn drop(&mut self) {
        if let Err(panic) = self.end() {
            tracing::error!(%panic, "the end of a future panicked");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::Waker;

    use super::*;

    struct Throws;

    impl Drop for Throws {
        fn drop(&mut self) {
            panic!("at its end");
        }
    }

    /// Throws at its end, with its value given.
    struct Gives;

    impl Future for Gives {
        type Output = u8;

        fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<u8> {
            Poll::Ready(7)
        }
    }

    impl Drop for Gives {
        fn drop(&mut self) {
            panic!("at its end");
        }
    }

    #[test]
    fn a_future_that_stays_where_it_is_ends_inside_whatever_it_throws() {
        let mut poller = Context::from_waker(Waker::noop());
        let thrown = std::panic::catch_unwind(AssertUnwindSafe(|| {
            let mut waits = pin!(Some(async {
                let _end = Throws;
                std::future::pending::<()>().await;
            }));
            assert!(pin!(CaughtHere::new(waits.as_mut())).poll(&mut poller).is_pending());
            assert!(waits.is_none(), "it has ended with who waited for it");

            let value = pin!(Some(Gives));
            assert_eq!(pin!(CaughtHere::new(value)).poll(&mut poller), Poll::Ready(Ok(7)));

            let breaks = pin!(Some(async { panic!("on its way") }));
            let broke: Poll<Result<(), String>> = pin!(CaughtHere::new(breaks)).poll(&mut poller);
            assert_eq!(broke, Poll::Ready(Err("panicked: on its way".to_owned())));
        }));
        assert!(thrown.is_ok());
    }
}
