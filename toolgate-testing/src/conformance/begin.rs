//! Transaction A: keys are claimed, all or none, and what can't begin leaves nothing.

use std::sync::Arc;

use toolgate_core::ledger::{CallState, Ending, KeyState, MAX_ATTEMPTS};
use toolgate_core::spec::Repeat;
use toolgate_core::store::{Begin, Claim, Record, Store, Write, write_one};

use super::{Fresh, begin, fences, key, must, must_be_conflict, record, story, taken, there};
use crate::records::{self, NOON, OWNER, claim, settle};

/// Every part of this file.
pub async fn all(fresh: Fresh<'_>) {
    begun_call_is_stored(&*fresh()).await;
    taken_key_shows_its_owner(&*fresh()).await;
    keys_are_claimed_all_or_none(&*fresh()).await;
    one_begin_cannot_claim_a_key_twice(&*fresh()).await;
    proved_no_effect_runs_again_within_bounds(&*fresh()).await;
    in_doubt_runs_again_only_if_idempotent(&*fresh()).await;
    settled_key_never_runs_again(&*fresh()).await;
    stale_result_runs_again_only_if_idempotent(&*fresh()).await;
    only_running_calls_begin(&*fresh()).await;
}

fn claiming(call_id: &str, claims: Vec<Claim>) -> Begin {
    Begin { claims, ..records::begin(call_id) }
}

/// The call, its event, its key and its owner can be read once it has begun.
pub async fn begun_call_is_stored(store: &dyn Store) {
    let request = claiming("c1", vec![claim("k1", "f1"), claim("k2", "f2")]);
    assert_eq!(fences(begin(store, request.clone()).await), [1, 1]);
    let told = story(store, "c1").await;
    assert_eq!(told.record, *request.call);
    assert_eq!(told.events.len(), 1);
    let stored = there(key(store, "k1").await);
    assert_eq!((stored.state, stored.fence, stored.attempts), (KeyState::Running, 1, 1));
    assert_eq!((stored.call_id.as_str(), stored.tool.as_str()), ("c1", "send"));
    assert_eq!((stored.owner.as_str(), stored.claimed_ms, stored.settled_ms), (OWNER, NOON, None));
    assert_eq!((stored.fingerprint.as_str(), stored.idempotent), ("f1", false));
}

/// The answer names the claim and shows the key as it stands, also to a call with other arguments.
pub async fn taken_key_shows_its_owner(store: &dyn Store) {
    fences(begin(store, claiming("c1", vec![claim("k", "f")])).await);
    let (position, seen) = taken(begin(store, claiming("c2", vec![claim("k", "f")])).await);
    assert_eq!((position, seen.call_id.as_str(), seen.state), (0, "c1", KeyState::Running));
    let (_, seen) = taken(begin(store, claiming("c3", vec![claim("k", "other")])).await);
    assert_eq!(seen.fingerprint, "f");
    assert!(must(store.call("c2").await).is_none(), "a call that didn't begin isn't stored by it");
}

/// Where the second key is taken, the first stays free.
pub async fn keys_are_claimed_all_or_none(store: &dyn Store) {
    fences(begin(store, claiming("c1", vec![claim("k2", "f")])).await);
    let (position, _) = taken(begin(store, claiming("c2", vec![claim("k1", "f"), claim("k2", "f")])).await);
    assert_eq!(position, 1);
    assert_eq!(key(store, "k1").await, None);
    assert_eq!(fences(begin(store, claiming("c3", vec![claim("k1", "f")])).await), [1]);
}

/// The second claim of the same key sees the first.
pub async fn one_begin_cannot_claim_a_key_twice(store: &dyn Store) {
    let (position, _) = taken(begin(store, claiming("c1", vec![claim("k", "f"), claim("k", "f")])).await);
    assert_eq!(position, 1);
    assert_eq!(key(store, "k").await, None);
}

async fn run_once(store: &dyn Store, call_id: &str, claim: Claim, ending: Ending) -> u64 {
    let name = claim.key.clone();
    let fence = there(fences(begin(store, claiming(call_id, vec![claim])).await).first().copied());
    record(store, Record { settle: vec![settle(&name, fence, ending)], ..records::finish(call_id) }).await;
    fence
}

/// A run that had no effect frees the key for the next, with the next fence, up to a bound.
pub async fn proved_no_effect_runs_again_within_bounds(store: &dyn Store) {
    for run in 1..=MAX_ATTEMPTS {
        let fence = run_once(store, &format!("c{run}"), claim("k", "f"), Ending::FailedNoEffect).await;
        assert_eq!(fence, u64::from(run));
        assert_eq!(there(key(store, "k").await).attempts, run);
    }
    let (_, seen) = taken(begin(store, claiming("last", vec![claim("k", "f")])).await);
    assert_eq!((seen.state, seen.attempts), (KeyState::FailedNoEffect, MAX_ATTEMPTS));
}

/// Nobody knows what a run in doubt did: only what may be done twice is done again.
pub async fn in_doubt_runs_again_only_if_idempotent(store: &dyn Store) {
    run_once(store, "c1", claim("once", "f"), Ending::InDoubt).await;
    assert_eq!(there(key(store, "once").await).settled_ms, None, "a key in doubt isn't settled");
    let (_, seen) = taken(begin(store, claiming("c2", vec![claim("once", "f")])).await);
    assert_eq!(seen.state, KeyState::InDoubt);
    let idempotent = Claim { repeat: Repeat::Idempotent, ..claim("again", "f") };
    run_once(store, "c3", idempotent.clone(), Ending::InDoubt).await;
    assert_eq!(fences(begin(store, claiming("c4", vec![idempotent])).await), [2]);
    let stored = there(key(store, "again").await);
    assert_eq!((stored.call_id.as_str(), stored.idempotent, stored.attempts), ("c4", true, 2));
}

/// Success, a final failure and a partial effect are each the end of a key.
pub async fn settled_key_never_runs_again(store: &dyn Store) {
    for (name, ending) in [("k1", Ending::Succeeded), ("k2", Ending::FailedFinal), ("k3", Ending::Partial)] {
        run_once(store, &format!("c-{name}"), claim(name, "f"), ending).await;
        let (_, seen) = taken(begin(store, claiming("late", vec![claim(name, "f")])).await);
        assert_eq!((seen.call_id, seen.settled_ms), (format!("c-{name}"), Some(NOON + 5)));
    }
}

/// A result that was looked at and no longer holds lets an idempotent call run, once: the next one
/// must look at the newer result.
pub async fn stale_result_runs_again_only_if_idempotent(store: &dyn Store) {
    let looked = |call_id: &str| Some(call_id.to_owned());
    let idempotent = Claim { repeat: Repeat::Idempotent, ..claim("k", "f") };
    run_once(store, "c1", idempotent.clone(), Ending::Succeeded).await;
    let (_, seen) = taken(begin(store, claiming("c2", vec![idempotent.clone()])).await);
    assert_eq!(seen.call_id, "c1");
    let other = Claim { stale: looked("c0"), ..idempotent.clone() };
    taken(begin(store, claiming("c2", vec![other])).await);
    let stale = Claim { stale: looked("c1"), ..idempotent };
    let foreign = Claim { fingerprint: "other".to_owned(), ..stale.clone() };
    taken(begin(store, claiming("c2", vec![foreign])).await);
    assert_eq!(run_once(store, "c2", stale.clone(), Ending::Succeeded).await, 2);
    assert_eq!(there(key(store, "k").await).attempts, 1, "runs are counted from the last success");
    let (_, seen) = taken(begin(store, claiming("c3", vec![stale])).await);
    assert_eq!(seen.call_id, "c2");
    run_once(store, "c4", claim("once", "f"), Ending::Succeeded).await;
    let once = Claim { stale: looked("c4"), ..claim("once", "f") };
    let (_, seen) = taken(begin(store, claiming("c5", vec![once])).await);
    assert_eq!(seen.call_id, "c4");
}

/// A call that isn't RUNNING, or has its answer already, can't begin.
pub async fn only_running_calls_begin(store: &dyn Store) {
    let mut early = records::begin("c1");
    CallState::Authorized.as_str().clone_into(&mut Arc::make_mut(&mut early.call).state);
    must_be_conflict(&write_one(store, Write::Begin(Box::new(early))).await);
    record(store, records::finish("c1")).await;
    must_be_conflict(&write_one(store, Write::Begin(Box::new(records::begin("c1")))).await);
    assert_eq!(story(store, "c1").await.record.state, CallState::Succeeded.as_str());
    let received = Record::of(records::call("c2", CallState::Received), Vec::new());
    record(store, received).await;
    must_be_conflict(&write_one(store, Write::Begin(Box::new(records::begin("c2")))).await);
    fences(begin(store, records::begin("c3")).await);
    must_be_conflict(&write_one(store, Write::Begin(Box::new(records::begin("c3")))).await);
}
