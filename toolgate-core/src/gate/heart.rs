//! What a gate does by itself, beside its calls: it renews its lease while calls are under way, names what
//! dead owners left, and lets go of what is old where it is told to. Ends with the gate.

use std::sync::{Arc, Weak};
use std::time::Duration;

use super::{Gate, GateInner};
use crate::clock::boot_ms;
use crate::store::{Write, write_one};

/// How often a gate that is told so looks for what is old.
const PRUNES: Duration = Duration::from_hours(1);

impl Gate {
    pub(super) fn start_heart(&self) {
        let heart = Heart { gate: Arc::downgrade(&self.inner), beat: self.inner.lease.beat() };
        self.inner.home.spawn(Box::pin(heart.live()));
    }
}

struct Heart {
    gate: Weak<GateInner>,
    beat: Duration,
}

impl Heart {
    async fn live(self) {
        let (mut swept, mut pruned) = (Duration::ZERO, PRUNES);
        loop {
            tokio::time::sleep(self.beat).await;
            let Some(inner) = self.gate.upgrade() else { return };
            inner.renew().await;
            (swept, pruned) = (swept + self.beat, pruned + self.beat);
            if swept >= inner.lease.length() {
                swept = Duration::ZERO;
                let gate = Gate { inner: Arc::clone(&inner) };
                gate.sweep_by_itself().await;
            }
            if pruned >= PRUNES {
                pruned = Duration::ZERO;
                inner.prune_by_itself().await;
            }
        }
    }
}

impl GateInner {
    /// A gate with nothing under way has nothing to lose.
    async fn renew(&self) {
        if !self.lease.was_granted() || !self.under_way.is_some() {
            return;
        }
        let asked_ms = boot_ms();
        match write_one(&*self.store, Write::Renew(self.lease.renewal())).await {
            Ok(_) => self.lease.renewed(asked_ms),
            Err(error) => {
                let left = self.lease.left();
                tracing::error!(%error, ?left, "the lease of running calls could not be renewed: they are stopped when it is over");
            }
        }
    }

    async fn prune_by_itself(&self) {
        let Some(retention) = &self.retention else { return };
        match crate::store::prune(&*self.store, retention, self.clock.now_ms()).await {
            Ok(pruned) if pruned.is_empty() => {}
            Ok(pruned) => tracing::info!(?pruned, "old entries of the ledger were let go"),
            Err(error) => tracing::warn!(%error, "old entries of the ledger could not be let go"),
        }
    }
}

impl Gate {
    async fn sweep_by_itself(&self) {
        match self.sweep().await {
            Ok(swept) => swept.iter().for_each(|call| {
                tracing::warn!(call_id = %call.call_id, tool = %call.tool, state = %call.state, "its owner is dead");
            }),
            Err(error) => tracing::warn!(%error, "calls of dead owners could not be looked for"),
        }
    }
}
