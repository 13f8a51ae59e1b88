//! What a person says about a call in doubt: once, and only while nobody else has the key.

use toolgate_core::ledger::{CallState, Ending, KeyState};
use toolgate_core::store::{
    Begin, CallRecord, Record, Resolve, Resolved, Settle, Store, StoredResult, Verdict, Write, Written, write_one,
};

use super::{Fresh, begin, count_events, fences, key, must, must_be_conflict, record, story, there, try_record};
use crate::records::{self, NOON, call, claim, event, finish, result, settle};

/// Every part of this file.
pub async fn all(fresh: Fresh<'_>) {
    for verdict in Verdict::ALL {
        resolution_settles_the_key_and_is_recorded(&*fresh(), verdict).await;
    }
    only_the_first_resolution_counts(&*fresh()).await;
    only_what_is_in_doubt_is_resolved(&*fresh()).await;
    resolution_with_another_fence_changes_nothing(&*fresh()).await;
    all_keys_of_a_call_are_resolved_or_none(&*fresh()).await;
    call_without_a_key_is_resolved_by_itself(&*fresh()).await;
    late_result_after_a_resolution_is_a_conflict(&*fresh()).await;
}

fn said(verdict: Verdict, keys: &[(&str, u64)]) -> Resolve {
    Resolve {
        call_id: "c1".to_owned(),
        keys: keys.iter().map(|(key, fence)| ((*key).to_owned(), *fence)).collect(),
        verdict,
        result: None,
        by: "bob".to_owned(),
        why: "looked at the other side".to_owned(),
        now_ms: NOON + 9,
    }
}

async fn resolve(store: &dyn Store, resolve: Resolve) -> Option<Resolved> {
    match must(write_one(store, Write::Resolve(Box::new(resolve))).await) {
        Written::Resolved(resolved) => Some(resolved),
        _ => None,
    }
}

async fn resolved(store: &dyn Store, write: Resolve) -> Option<CallRecord> {
    match resolve(store, write).await {
        Some(Resolved::Now(call)) => Some(*call),
        _ => None,
    }
}

async fn leave_in_doubt(store: &dyn Store, keys: &[&str]) {
    let claims = keys.iter().map(|key| claim(key, "f")).collect();
    fences(begin(store, Begin { claims, ..records::begin("c1") }).await);
    let settle = keys.iter().map(|key| settle(key, 1, Ending::InDoubt)).collect();
    record(store, Record { settle, ..in_doubt() }).await;
}

fn in_doubt() -> Record {
    let call = CallRecord { effect: "unknown".to_owned(), ..call("c1", CallState::Unknown) };
    Record::of(call, vec![event("c1", "finished")])
}

/// The key has its end, the record says who found it out and how, and an event stands in the chain.
pub async fn resolution_settles_the_key_and_is_recorded(store: &dyn Store, verdict: Verdict) {
    leave_in_doubt(store, &["k"]).await;
    let kept = StoredResult { sealed: vec![3], ..result("c1") };
    let write = Resolve { result: Some(kept.clone()), ..said(verdict, &[("k", 1)]) };
    let told = there(resolved(store, write).await);
    let (state, effect) = match verdict {
        Verdict::Applied => (KeyState::Succeeded, "done"),
        Verdict::NotApplied => (KeyState::FailedNoEffect, "none"),
        Verdict::Partial => (KeyState::Partial, "partial"),
    };
    let stored = there(key(store, "k").await);
    assert_eq!((stored.state, stored.settled_ms), (state, Some(NOON + 9)));
    let story = story(store, "c1").await;
    assert_eq!(story.record, told);
    assert_eq!((told.state.as_str(), told.effect.as_str()), ("UNKNOWN", effect));
    let resolution = there(told.resolution);
    assert_eq!((resolution.verdict.as_str(), resolution.by.as_str()), (verdict.as_str(), "bob"));
    assert_eq!((resolution.why.as_str(), resolution.at_ms), ("looked at the other side", NOON + 9));
    assert_eq!(count_events(&story, "resolved"), 1);
    assert_eq!(must(store.result("c1").await), Some(kept));
}

/// The second person hears of the first.
pub async fn only_the_first_resolution_counts(store: &dyn Store) {
    leave_in_doubt(store, &["k"]).await;
    there(resolved(store, said(Verdict::Applied, &[("k", 1)])).await);
    let second = resolve(store, Resolve { by: "eve".to_owned(), ..said(Verdict::NotApplied, &[("k", 1)]) }).await;
    let call = there(second.and_then(|answer| if let Resolved::Changed(call) = answer { Some(call) } else { None }));
    assert_eq!(call.resolution.map(|said| said.by).as_deref(), Some("bob"));
    assert_eq!(there(key(store, "k").await).state, KeyState::Succeeded);
    assert_eq!(count_events(&story(store, "c1").await, "resolved"), 1);
}

/// Neither what runs nor what is settled, nor what isn't there.
pub async fn only_what_is_in_doubt_is_resolved(store: &dyn Store) {
    assert_eq!(resolve(store, said(Verdict::Applied, &[])).await, Some(Resolved::NotFound));
    fences(begin(store, Begin { claims: vec![claim("k", "f")], ..records::begin("c1") }).await);
    for keys in [&[("k", 1)][..], &[]] {
        assert!(matches!(resolve(store, said(Verdict::NotApplied, keys)).await, Some(Resolved::Changed(_))));
    }
    record(store, Record { settle: vec![settle("k", 1, Ending::Succeeded)], ..finish("c1") }).await;
    for keys in [&[("k", 1)][..], &[]] {
        assert!(matches!(resolve(store, said(Verdict::NotApplied, keys)).await, Some(Resolved::Changed(_))));
    }
    assert_eq!(there(key(store, "k").await).state, KeyState::Succeeded);
    assert_eq!(count_events(&story(store, "c1").await, "resolved"), 0);
}

/// What was looked at is no longer so.
pub async fn resolution_with_another_fence_changes_nothing(store: &dyn Store) {
    leave_in_doubt(store, &["k"]).await;
    for keys in [[("k", 2)], [("other", 1)]] {
        let answer = resolve(store, Resolve { result: Some(result("c1")), ..said(Verdict::Applied, &keys) }).await;
        assert!(matches!(answer, Some(Resolved::Changed(_))));
    }
    assert_eq!(there(key(store, "k").await).state, KeyState::InDoubt);
    assert_eq!(must(store.result("c1").await), None);
    assert_eq!(story(store, "c1").await.record.resolution, None);
}

/// The key of the operation and that of the provider's message are one call.
pub async fn all_keys_of_a_call_are_resolved_or_none(store: &dyn Store) {
    leave_in_doubt(store, &["k1", "k2"]).await;
    let wrong = resolve(store, said(Verdict::Applied, &[("k1", 1), ("k2", 5)])).await;
    assert!(matches!(wrong, Some(Resolved::Changed(_))));
    assert_eq!(there(key(store, "k1").await).state, KeyState::InDoubt);
    there(resolved(store, said(Verdict::NotApplied, &[("k1", 1), ("k2", 1)])).await);
    for name in ["k1", "k2"] {
        assert_eq!(there(key(store, name).await).state, KeyState::FailedNoEffect);
    }
}

/// Each call of such a tool is a new effect; what became of this one is a matter of its record.
pub async fn call_without_a_key_is_resolved_by_itself(store: &dyn Store) {
    fences(begin(store, records::begin("c1")).await);
    record(store, in_doubt()).await;
    let told = there(resolved(store, said(Verdict::Partial, &[])).await);
    assert_eq!(told.effect, "partial");
    assert!(matches!(resolve(store, said(Verdict::Applied, &[])).await, Some(Resolved::Changed(_))));
}

/// The run that a person has judged may still wake up: it overwrites nothing.
pub async fn late_result_after_a_resolution_is_a_conflict(store: &dyn Store) {
    leave_in_doubt(store, &["k"]).await;
    there(resolved(store, said(Verdict::NotApplied, &[("k", 1)])).await);
    let late = Settle { late: true, ..settle("k", 1, Ending::Succeeded) };
    must_be_conflict(&try_record(store, Record { settle: vec![late.clone()], ..finish("c1") }).await);
    fences(begin(store, Begin { claims: vec![claim("k", "f")], ..records::begin("c2") }).await);
    must_be_conflict(&try_record(store, Record { settle: vec![late], ..finish("c1") }).await);
    let stored = there(key(store, "k").await);
    assert_eq!((stored.state, stored.fence, stored.call_id.as_str()), (KeyState::Running, 2, "c2"));
}
