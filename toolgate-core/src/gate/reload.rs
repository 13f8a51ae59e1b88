//! The policy of the moment, and how it is replaced: whole, at once, and only by one that fits the tools. A call asks it
//! when it is judged, so that the new one holds from the next question on, for calls that wait for a person, too. Not
//! when a file has changed, which is `watch.rs`'s.

use std::sync::{Arc, PoisonError, RwLock};

use super::build_error::BuildError;
use super::{Gate, GateInner};
use crate::alert::Alert;
use crate::policy::Policy;
use crate::spec::ToolsetFault;

/// The policy that counts now.
#[derive(Debug)]
pub(super) struct PolicySlot(RwLock<Arc<dyn Policy>>);

impl PolicySlot {
    pub(super) fn new(policy: Arc<dyn Policy>) -> Self {
        Self(RwLock::new(policy))
    }
}

impl GateInner {
    /// The policy that counts now.
    pub(super) fn policy(&self) -> Arc<dyn Policy> {
        Arc::clone(&self.policy.0.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Gate {
    /// Name and version of the policy that counts now.
    pub fn policy_version(&self) -> String {
        self.inner.policy().version()
    }

    /// Replaces the policy, from the next question on: calls under way finish under what allowed them, and a call
    /// that waits for a person is judged again by the new policy when it is dispatched. What was counted for limits
    /// goes on.
    ///
    /// # Errors
    /// A policy that doesn't fit the tools: the old one stays, and operators are told through log and alert sinks.
    pub fn reload_policy(&self, policy: impl Policy + 'static) -> Result<(), BuildError> {
        let policy: Arc<dyn Policy> = Arc::new(policy);
        let faults = policy.check(self.tools());
        if !faults.is_empty() {
            let fault = ToolsetFault { faults };
            self.policy_was_not_loaded(&fault.to_string());
            return Err(BuildError::Policy(fault));
        }
        let version = policy.version();
        let before = {
            let mut slot = self.inner.policy.0.write().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *slot, policy)
        };
        tracing::info!(before = %before.version(), now = %version, "the policy was replaced");
        Ok(())
    }

    /// Tells operators that the old policy stays.
    pub(super) fn policy_was_not_loaded(&self, fault: &str) {
        let fault = self.inner.redactor.text(fault);
        let stays = self.policy_version();
        tracing::error!(%stays, %fault, "a policy was not loaded, and the old one stays");
        let alert = Alert::of_policy(self.inner.clock.now_ms(), &stays, fault);
        let inner = Arc::clone(&self.inner);
        self.inner.home.spawn(Box::pin(async move { inner.alerts.tell(alert) }));
    }
}
