//! The chain of events: without gaps, keyed, and whole after everything that was refused.

use serde_json::json;
use toolgate_core::ledger::Ending;
use toolgate_core::store::chain::{Head, Linked};
use toolgate_core::store::{Begin, Event, Record, Store, StoredEvent};

use super::{Fresh, begin, must, must_be_conflict, record, story, try_record};
use crate::records::{self, NOON, claim, event, finish, settle};

/// Every part of this file.
pub async fn all(fresh: Fresh<'_>) {
    chain_has_no_gaps(&*fresh()).await;
    links_are_keyed_and_cover_the_event(&*fresh()).await;
    any_body_can_be_chained(&*fresh()).await;
}

async fn events_of(store: &dyn Store, calls: &[&str]) -> Vec<StoredEvent> {
    let mut events = Vec::new();
    for call_id in calls {
        events.extend(story(store, call_id).await.events);
    }
    events.sort_by_key(|event| event.seq);
    events
}

async fn write_and_be_refused(store: &dyn Store) {
    for call_id in ["a", "b", "c"] {
        let request = Begin { claims: vec![claim("k", "f")], ..records::begin(call_id) };
        begin(store, request).await;
        let bad = Record { settle: vec![settle("k", 9, Ending::Succeeded)], ..finish(call_id) };
        must_be_conflict(&try_record(store, bad).await);
        record(store, Record { events: vec![event(call_id, "x"), event(call_id, "y")], ..finish(call_id) }).await;
    }
}

/// What is refused or taken back leaves no hole.
pub async fn chain_has_no_gaps(store: &dyn Store) {
    write_and_be_refused(store).await;
    let events = events_of(store, &["a", "b", "c"]).await;
    let positions: Vec<u64> = events.iter().map(|event| event.seq).collect();
    assert_eq!(positions, [1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(must(store.report().await).faults, Vec::<String>::new());
}

/// Who has the key can compute each link from the one before.
pub async fn links_are_keyed_and_cover_the_event(store: &dyn Store) {
    write_and_be_refused(store).await;
    let mut head = Head::default();
    for event in events_of(store, &["a", "b", "c"]).await {
        // As the events of these tests were written.
        let body = event.body.to_string();
        let linked = Linked { call_id: &event.call_id, kind: &event.kind, at_ms: NOON, body: &body };
        head = head.next(store.key(), &linked);
        assert_eq!((head.seq, &head.link), (event.seq, &event.link));
    }
}

/// Whatever it holds.
pub async fn any_body_can_be_chained(store: &dyn Store) {
    let bodies = [
        json!(null),
        json!({}),
        json!({ "b": 1, "a": [{ "z": "\u{0}\"\\\n\u{2028}" }] }),
        json!({ "big": 9_007_199_254_740_993_u64, "small": i64::MIN, "tiny": 5e-324, "huge": 1.5e300 }),
        json!({ "$serde_json::private::Number": "1" }),
        json!("x".repeat(100_000)),
    ];
    let mut whole = finish("a");
    whole.events.clear();
    for body in &bodies {
        whole.events.push(Event::new("a", "odd", NOON, body));
    }
    record(store, whole).await;
    let stored = story(store, "a").await.events;
    let seen: Vec<_> = stored.into_iter().map(|event| event.body).collect();
    assert_eq!(seen, bodies);
    assert_eq!(must(store.report().await).faults, Vec::<String>::new());
}
