//! Whether something outside may have changed, and the end of that: a call that was given up before it
//! changed anything may change nothing any more. Not what changed.

use std::sync::atomic::{AtomicU32, Ordering};

use super::error::{Fault, PathError};

/// No change may begin any more.
const CLOSED: u32 = u32::MAX;

/// Counts what may have changed something.
#[derive(Debug, Default)]
pub(crate) struct EffectMark(AtomicU32);

/// Nobody waits for the call any more, and nothing was changed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Closed;

impl EffectMark {
    /// Something is about to be changed.
    pub(crate) fn start(&self) -> Result<(), Closed> {
        let more = |count: u32| (count != CLOSED).then(|| count.saturating_add(1).min(CLOSED - 1));
        self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more).map(drop).map_err(|_| Closed)
    }

    /// What was about to be changed was not, for sure.
    pub(crate) fn take_back(&self) {
        let less = |count: u32| (count != CLOSED && count > 0).then(|| count - 1);
        // One that is closed counted nothing.
        let _ = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less);
    }

    /// Changes something, if the call may still do so. An error that proves that nothing was changed counts as no change.
    pub(super) fn acting<T>(&self, act: impl FnOnce() -> Result<T, PathError>) -> Result<T, PathError> {
        self.start()
            .map_err(|Closed| PathError::new(Fault::GivenUp, "the call was given up before it changed anything"))?;
        let done = act();
        if done.as_ref().is_err_and(PathError::is_without_effect) {
            self.take_back();
        }
        done
    }

    /// Whether something may have been changed.
    pub(crate) fn has_started(&self) -> bool {
        !matches!(self.0.load(Ordering::SeqCst), 0 | CLOSED)
    }

    /// From now on nothing may be changed; false where something may have been already.
    pub(crate) fn close(&self) -> bool {
        matches!(self.0.compare_exchange(0, CLOSED, Ordering::SeqCst, Ordering::SeqCst), Ok(_) | Err(CLOSED))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_closed_never_starts_and_what_started_is_not_closed() {
        let mark = EffectMark::default();
        assert!(mark.close() && mark.close());
        assert!(mark.start().is_err());
        assert!(!mark.has_started());
        let mark = EffectMark::default();
        mark.start().unwrap();
        assert!(mark.has_started() && !mark.close());
    }

    #[test]
    fn one_change_that_was_none_does_not_take_back_another() {
        let mark = EffectMark::default();
        mark.start().unwrap();
        mark.start().unwrap();
        mark.take_back();
        assert!(mark.has_started());
        mark.take_back();
        mark.take_back();
        assert!(!mark.has_started() && mark.close());
    }
}
