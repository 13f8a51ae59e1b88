//! The lease that the calls of this gate live by, as the gate itself knows it: when to stop acting
//! because others may act soon. Measured by a clock that nobody sets; never longer than the store's.

use std::future::poll_fn;
use std::sync::atomic::{AtomicI64, Ordering};
use std::task::Poll;
use std::time::Duration;

use crate::clock::boot_ms;
use crate::owner;
use crate::store::{Millis, Renew};

/// The lengths that may be asked for.
pub(super) const SHORTEST: Duration = Duration::from_secs(1);
pub(super) const LONGEST: Duration = Duration::from_hours(1);
/// The length of a gate that asks for none.
pub(super) const USUAL: Duration = Duration::from_secs(30);

/// Longest wait between two looks at the clock.
const LOOK: Duration = Duration::from_secs(1);
const NEVER: Millis = Millis::MIN;

/// One gate's lease.
#[derive(Debug)]
pub(super) struct Lease {
    holder: String,
    length_ms: Millis,
    /// Until when the gate may act, by [`boot_ms`].
    until_ms: AtomicI64,
}

impl Lease {
    /// One that isn't granted yet.
    pub(super) fn new(length: Duration) -> Result<Self, getrandom::Error> {
        let length_ms = Millis::try_from(length.as_millis()).unwrap_or(Millis::MAX);
        Ok(Self { holder: owner::new_holder()?, length_ms, until_ms: AtomicI64::new(NEVER) })
    }

    pub(super) fn holder(&self) -> &str {
        &self.holder
    }

    /// What is asked of the store.
    pub(super) fn renewal(&self) -> Renew {
        Renew { holder: self.holder.clone(), for_ms: self.length_ms }
    }

    /// How long before its end the gate stops acting.
    fn margin_ms(&self) -> Millis {
        self.length_ms / 10
    }

    /// A quarter: several beats may fail before the lease is over.
    pub(super) fn beat(&self) -> Duration {
        Duration::from_millis(u64::try_from(self.length_ms / 4).unwrap_or(1))
    }

    pub(super) fn length(&self) -> Duration {
        Duration::from_millis(u64::try_from(self.length_ms).unwrap_or(1))
    }

    /// The store has renewed it, when it was asked at `asked_ms` by [`boot_ms`].
    pub(super) fn renewed(&self, asked_ms: Millis) {
        self.runs_until(asked_ms.saturating_add(self.length_ms));
    }

    /// A transaction A was taken: at least half of the lease was left then.
    pub(super) fn granted(&self, asked_ms: Millis) {
        self.runs_until(asked_ms.saturating_add(self.length_ms / 2));
    }

    fn runs_until(&self, until_ms: Millis) {
        self.until_ms.fetch_max(until_ms, Ordering::SeqCst);
    }

    /// Whether there was ever something to renew.
    pub(super) fn was_granted(&self) -> bool {
        self.until_ms.load(Ordering::SeqCst) != NEVER
    }

    /// Whether the gate may act.
    pub(super) fn holds(&self) -> bool {
        self.left() > Duration::ZERO
    }

    /// For how long the gate may act.
    pub(super) fn left(&self) -> Duration {
        self.until(self.margin_ms())
    }

    /// For how long nobody else may act.
    pub(super) fn left_with_margin(&self) -> Duration {
        self.until(0)
    }

    fn until(&self, margin_ms: Millis) -> Duration {
        let until_ms = self.until_ms.load(Ordering::SeqCst);
        let left = until_ms.saturating_sub(margin_ms).saturating_sub(boot_ms());
        Duration::from_millis(u64::try_from(left).unwrap_or(0))
    }

    /// Ready where the gate may act no longer, and never woken: to be asked before each step of what acts. A
    /// process that was stopped and goes on finds out before it does anything else.
    pub(super) async fn is_over_now(&self) {
        poll_fn(|_| if self.holds() { Poll::Pending } else { Poll::Ready(()) }).await;
    }

    /// Waits until the gate may act no longer.
    pub(super) async fn is_over(&self) {
        while self.holds() {
            // Timers stand still while the host sleeps; the lease doesn't.
            tokio::time::sleep(self.left().min(LOOK)).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lease(length: Duration) -> Lease {
        Lease::new(length).unwrap()
    }

    #[test]
    fn a_lease_that_was_never_granted_lets_nothing_run() {
        assert!(!lease(USUAL).holds());
    }

    #[test]
    fn a_lease_counts_from_when_it_was_asked_for_and_ends_before_the_stores() {
        let lease = lease(USUAL);
        lease.renewed(boot_ms() - 26_000);
        assert!(lease.holds() && lease.left() <= Duration::from_secs(1));
        assert!(lease.left_with_margin() > lease.left());
        let late = Lease::new(USUAL).unwrap();
        late.renewed(boot_ms() - 28_000);
        assert!(!late.holds(), "what is left is the margin");
        late.granted(boot_ms());
        assert!(late.holds() && late.left() <= Duration::from_secs(12));
    }

    #[test]
    fn an_older_answer_shortens_nothing() {
        let lease = lease(USUAL);
        lease.renewed(boot_ms());
        let before = lease.left();
        lease.granted(boot_ms() - 20_000);
        assert!(lease.left() + Duration::from_secs(1) > before);
    }

    #[tokio::test]
    async fn what_acts_is_told_when_it_is_over() {
        let lease = lease(SHORTEST);
        lease.renewed(boot_ms() - 600);
        let looked = tokio::time::timeout(Duration::ZERO, lease.is_over_now()).await;
        assert!(looked.is_err(), "it still holds");
        lease.is_over().await;
        assert!(!lease.holds());
        lease.is_over_now().await;
    }
}
