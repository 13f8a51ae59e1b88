//! Calls and effects counted against the limits of every layer. Not the limits of a policy, which the gate counts.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{Capabilities, Layer};

impl Capabilities {
    /// Counts one call; false, and nothing counted, where a limit is reached.
    pub(crate) fn count_call(&self) -> bool {
        self.count(calls)
    }

    /// The call that was counted was refused by another limit.
    pub(crate) fn give_back_call(&self) {
        give_back(&self.layers, calls);
    }

    /// Counts one run that can change something; false, and nothing counted, where a limit is reached.
    pub(crate) fn count_effect(&self) -> bool {
        self.count(effects)
    }

    /// The run that was counted did not begin.
    pub(crate) fn give_back_effect(&self) {
        give_back(&self.layers, effects);
    }

    /// Whether a run that can change something would be within the limits.
    pub(crate) fn has_effects_left(&self) -> bool {
        let left = |(counter, limit): (&AtomicU64, Option<u64>)| {
            limit.is_none_or(|limit| counter.load(Ordering::Relaxed) < limit)
        };
        self.layers.iter().all(|layer| left(effects(layer)))
    }

    fn count(&self, part: fn(&Layer) -> (&AtomicU64, Option<u64>)) -> bool {
        for (counted, layer) in self.layers.iter().enumerate() {
            let (counter, limit) = part(layer);
            let next = |before: u64| limit.is_none_or(|limit| before < limit).then_some(before + 1);
            if counter.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).is_err() {
                // A task at its own limit must not use up its session's.
                give_back(self.layers.get(..counted).unwrap_or_default(), part);
                return false;
            }
        }
        true
    }
}

fn calls(layer: &Layer) -> (&AtomicU64, Option<u64>) {
    (&layer.counters.calls, layer.limits.calls)
}

fn effects(layer: &Layer) -> (&AtomicU64, Option<u64>) {
    (&layer.counters.effects, layer.limits.effects)
}

fn give_back(layers: &[Layer], part: fn(&Layer) -> (&AtomicU64, Option<u64>)) {
    for layer in layers {
        part(layer).0.fetch_sub(1, Ordering::Relaxed);
    }
}
