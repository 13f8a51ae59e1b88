//! The ledger as a model, explored exhaustively: three workers call one operation, and meet crashes, ends of
//! leases, lost answers, late results and a person who says what became of it. What the store does is
//! production code (`store::apply` over the model's rows); the model is the world around it.
//!
//! Each `Broken` takes one safeguard away, and the checker must find out.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may panic"
)]

mod properties;
mod rows;
mod steps;
mod world;

use stateright::{Checker, HasDiscoveries, Model as _};
use toolgate_core::spec::Repeat;
use world::{Broken, Ledger};

/// Every state there is, and each property in all of them.
fn explore(model: Ledger) {
    let name = format!("{} {:?}", model.repeat.as_str(), model.budget);
    let checker = model.checker().threads(2).spawn_bfs().join();
    println!(
        "{name}: {} states, {} transitions, depth {}",
        checker.unique_state_count(),
        checker.state_count(),
        checker.max_depth(),
    );
    checker.assert_properties();
}

/// The first state in which the property doesn't hold, once `broken` is taken away.
fn must_be_found(broken: Broken, property: &'static str) {
    let model = Ledger { broken, ..Ledger::new(Repeat::Once) };
    let found = HasDiscoveries::AnyOf([property].into());
    let checker = model.checker().threads(2).finish_when(found).spawn_bfs().join();
    let path = checker.discovery(property).unwrap_or_else(|| panic!("nobody noticed {broken:?}"));
    println!("{broken:?} after {} states: {:?}", checker.unique_state_count(), path.into_actions());
}

#[test]
fn once_has_at_most_one_effect_whatever_happens() {
    explore(Ledger::new(Repeat::Once));
}

#[test]
fn idempotent_runs_one_at_a_time_whatever_happens() {
    explore(Ledger::new(Repeat::Idempotent));
}

#[test]
fn without_the_fence_an_old_run_frees_the_key_of_a_new_one() {
    must_be_found(Broken::NoFence, properties::ONE_EFFECT);
}

#[test]
fn without_unique_keys_two_calls_run() {
    must_be_found(Broken::KeyNotUnique, properties::ONE_EFFECT);
}

#[test]
fn a_lease_that_ended_is_no_proof_that_nothing_happened() {
    must_be_found(Broken::LeaseEndIsProof, properties::ONE_EFFECT);
}

#[test]
fn a_death_is_no_proof_that_nothing_happened() {
    must_be_found(Broken::DeathIsProof, properties::ONE_EFFECT);
}

#[test]
fn without_a_sweep_what_the_dead_left_runs_for_ever() {
    must_be_found(Broken::NoSweep, properties::NOTHING_LEFT);
}

#[test]
fn a_late_run_that_rewrites_a_settled_key_is_noticed() {
    must_be_found(Broken::SettledIsOpen, properties::SETTLED_STAYS);
}
