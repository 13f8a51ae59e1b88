//! What a report tells.

#![expect(unreachable_pub, clippy::unwrap_used, reason = "part of a test")]

use toolgate_core::store::{Store, StoreReport};

/// A fact of a report.
pub fn fact<'r>(report: &'r StoreReport, name: &str) -> &'r str {
    &report.facts.iter().find(|(fact, _)| fact == name).unwrap().1
}

/// What is wrong with a store.
pub async fn faults(store: &dyn Store) -> Vec<String> {
    store.report().await.unwrap().faults
}
