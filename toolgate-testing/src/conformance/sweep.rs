//! What dead owners left behind is named, and what living ones have is left alone.

use std::sync::Arc;

use toolgate_core::ledger::{CallState, Ending, KeyState};
use toolgate_core::store::{Begin, Record, Settle, StopReach, Store, Sweep, SweptCall, Write, Written, write_one};

use super::{Fresh, begin, count_events, fences, key, must, record, story, there};
use crate::records::{self, NOON, call, claim, event, finish, settle};

/// Every part of this file.
pub async fn all(fresh: Fresh<'_>) {
    dead_owners_calls_become_unknown(&*fresh()).await;
    lost_read_had_no_effect(&*fresh()).await;
    key_that_outlived_its_call_is_lost_too(&*fresh()).await;
    late_result_after_a_sweep_counts(&*fresh()).await;
    lost_call_stops_its_session_in_the_same_write(&*fresh()).await;
}

const DEAD: &str = "dead";

fn is_alive(owner: &str) -> bool {
    owner != DEAD
}

async fn sweep(store: &dyn Store) -> Vec<SweptCall> {
    match must(write_one(store, Write::Sweep(Sweep { is_alive, now_ms: NOON + 7 })).await) {
        Written::Swept(calls) => calls,
        _ => Vec::new(),
    }
}

fn of(owner: &str, call_id: &str, key: &str) -> Begin {
    Begin { owner: owner.to_owned(), claims: vec![claim(key, "f")], ..records::begin(call_id) }
}

/// The call, its key and an event; once.
pub async fn dead_owners_calls_become_unknown(store: &dyn Store) {
    fences(begin(store, of(DEAD, "c1", "k1")).await);
    fences(begin(store, of("living", "c2", "k2")).await);
    fences(begin(store, of(DEAD, "c3", "k3")).await);
    record(store, Record { settle: vec![settle("k3", 1, Ending::Succeeded)], ..finish("c3") }).await;
    let lost = SweptCall { call_id: "c1".to_owned(), tool: "send".to_owned(), state: CallState::Unknown };
    assert_eq!(sweep(store).await, [lost]);
    let told = story(store, "c1").await;
    let record = &told.record;
    assert_eq!(record.state, "UNKNOWN");
    assert_eq!((record.code.as_str(), record.effect.as_str()), ("OUTCOME_UNKNOWN", "unknown"));
    assert_eq!(record.finished_ms, Some(NOON + 7));
    assert_eq!(count_events(&told, "lost"), 1);
    assert_eq!(there(key(store, "k1").await).state, KeyState::InDoubt);
    assert_eq!(story(store, "c2").await.record.state, "RUNNING");
    assert_eq!(there(key(store, "k2").await).state, KeyState::Running);
    assert_eq!(story(store, "c3").await.record.state, "SUCCEEDED");
    assert_eq!(there(key(store, "k3").await).state, KeyState::Succeeded);
    assert_eq!(sweep(store).await, []);
}

/// Nobody knows whether it read, but nothing changed.
pub async fn lost_read_had_no_effect(store: &dyn Store) {
    let mut read = Begin { owner: DEAD.to_owned(), ..records::begin("c1") };
    Arc::make_mut(&mut read.call).risk = Some("read".to_owned());
    fences(begin(store, read).await);
    assert_eq!(sweep(store).await.len(), 1);
    let record = story(store, "c1").await.record;
    assert_eq!((record.state.as_str(), record.effect.as_str()), ("UNKNOWN", "none"));
}

/// A call that timed out has its answer, while its tool went on until the process died.
pub async fn key_that_outlived_its_call_is_lost_too(store: &dyn Store) {
    fences(begin(store, of(DEAD, "c1", "k")).await);
    let timed_out = call("c1", CallState::TimedOut);
    record(store, Record::of(timed_out.clone(), vec![event("c1", "timed_out")])).await;
    let lost = SweptCall { call_id: "c1".to_owned(), tool: "send".to_owned(), state: CallState::TimedOut };
    assert_eq!(sweep(store).await, [lost]);
    assert_eq!(there(key(store, "k").await).state, KeyState::InDoubt);
    let told = story(store, "c1").await;
    assert_eq!(told.record, timed_out);
    assert_eq!(count_events(&told, "lost"), 1);
}

/// An owner that was taken for dead may still bring its result, while nobody else has the key.
pub async fn late_result_after_a_sweep_counts(store: &dyn Store) {
    fences(begin(store, of(DEAD, "c1", "k")).await);
    assert_eq!(sweep(store).await.len(), 1);
    let late = Settle { late: true, ..settle("k", 1, Ending::Succeeded) };
    record(store, Record { settle: vec![late], ..finish("c1") }).await;
    assert_eq!(there(key(store, "k").await).state, KeyState::Succeeded);
}

/// Where its record says so, and it was no read; once.
pub async fn lost_call_stops_its_session_in_the_same_write(store: &dyn Store) {
    let stopping = |call_id: &str, key: &str, session: &str| {
        let mut begin = of(DEAD, call_id, key);
        let call = Arc::make_mut(&mut begin.call);
        call.stops_if_lost = true;
        session.clone_into(&mut call.session);
        begin
    };
    record(store, Record { stop: Some((StopReach::Tool, NOON)), ..finish("c0") }).await;
    fences(begin(store, stopping("c1", "k1", "s1")).await);
    let mut other = of(DEAD, "c2", "k2");
    "s2".clone_into(&mut Arc::make_mut(&mut other.call).session);
    fences(begin(store, other).await);
    fences(begin(store, stopping("c3", "k3", "s3")).await);
    assert_eq!(sweep(store).await.len(), 3);
    assert_eq!(sweep(store).await, []);
    let stops = must(store.stops().await);
    let seen: Vec<_> = stops.iter().map(|stop| (stop.id, stop.call_id.as_str(), stop.reach, stop.at_ms)).collect();
    let lost = NOON + 7;
    let expected =
        [(1, "c0", StopReach::Tool, NOON), (2, "c1", StopReach::Session, lost), (3, "c3", StopReach::Session, lost)];
    assert_eq!(seen, expected);
    assert_eq!(must(store.recall(&[], "s1").await).stops.len(), 1);
    let told = story(store, "c1").await;
    assert_eq!((count_events(&told, "lost"), count_events(&told, "stopped")), (1, 1));
}
