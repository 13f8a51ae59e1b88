//! What is old is let go, what is open stays, and what was done stays done.

use toolgate_core::ledger::{CallState, Ending, KeyState};
use toolgate_core::store::{
    Begin, FILE_MARK, KeyFilter, Millis, OldFilter, OldKind, OutcomeRecord, Prune, Record, Store, TicketRecord,
    TicketState, Write, Written, write_one,
};

use super::{Fresh, begin, fences, key, must, record, there};
use crate::records::{self, NOON, call, claim, event, finish, outcome, result, settle, ticket};

/// Every part of this file.
pub async fn all(fresh: Fresh<'_>) {
    pruned_key_never_runs_again(&*fresh()).await;
    open_keys_are_never_old(&*fresh()).await;
    old_results_are_let_go(&*fresh()).await;
    tickets_that_wait_stay(&*fresh()).await;
    old_outcomes_are_let_go_and_marks_of_files_stay(&*fresh()).await;
    old_names_come_in_pages(&*fresh()).await;
    keys_are_listed_by_filter(&*fresh()).await;
}

const LATER: Millis = NOON + 1_000;

async fn old(store: &dyn Store, kind: OldKind, before_ms: Millis) -> Vec<String> {
    must(store.old(&OldFilter { kind, before_ms, after: None, limit: 100 }).await)
}

async fn prune(store: &dyn Store, kind: OldKind, before_ms: Millis, names: &[&str]) -> u64 {
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    let write = Prune { kind, before_ms, names, now_ms: LATER };
    match must(write_one(store, Write::Prune(write)).await) {
        Written::Pruned(count) => count,
        _ => u64::MAX,
    }
}

async fn run(store: &dyn Store, call_id: &str, name: &str, ending: Ending) {
    fences(begin(store, Begin { claims: vec![claim(name, "f")], ..records::begin(call_id) }).await);
    record(store, Record { settle: vec![settle(name, 1, ending)], ..finish(call_id) }).await;
}

/// A tombstone keeps what a repeat is recognised by.
pub async fn pruned_key_never_runs_again(store: &dyn Store) {
    for (name, ending) in [("k1", Ending::Succeeded), ("k2", Ending::FailedNoEffect), ("k3", Ending::Partial)] {
        run(store, &format!("c-{name}"), name, ending).await;
    }
    assert_eq!(old(store, OldKind::Keys, NOON).await, Vec::<String>::new(), "settled later");
    assert_eq!(prune(store, OldKind::Keys, NOON, &["k1", "unknown"]).await, 0);
    assert_eq!(old(store, OldKind::Keys, LATER).await, ["k1", "k2", "k3"]);
    assert_eq!(prune(store, OldKind::Keys, LATER, &["k1", "k2", "k3", "unknown"]).await, 3);
    for name in ["k1", "k2", "k3"] {
        let stored = there(key(store, name).await);
        assert_eq!((stored.state, stored.fingerprint.as_str()), (KeyState::Pruned, "f"));
        let again = Begin { claims: vec![claim(name, "f")], ..records::begin("again") };
        let (_, seen) = super::taken(begin(store, again).await);
        assert_eq!(seen.state, KeyState::Pruned);
    }
    assert_eq!(old(store, OldKind::Keys, LATER).await, Vec::<String>::new());
    assert_eq!(prune(store, OldKind::Keys, LATER, &["k1"]).await, 0, "once");
}

/// Running and in doubt, however long ago.
pub async fn open_keys_are_never_old(store: &dyn Store) {
    fences(begin(store, Begin { claims: vec![claim("runs", "f")], ..records::begin("c1") }).await);
    run(store, "c2", "doubt", Ending::InDoubt).await;
    assert_eq!(old(store, OldKind::Keys, Millis::MAX).await, Vec::<String>::new());
    assert_eq!(prune(store, OldKind::Keys, Millis::MAX, &["runs", "doubt"]).await, 0);
    assert_eq!(there(key(store, "runs").await).state, KeyState::Running);
    assert_eq!(there(key(store, "doubt").await).state, KeyState::InDoubt);
}

/// The record stays, and so do the results of calls that aren't over.
pub async fn old_results_are_let_go(store: &dyn Store) {
    record(store, Record { result: Some(result("c1")), ..finish("c1") }).await;
    let waits = Record::of(call("c2", CallState::AwaitingConfirmation), vec![event("c2", "asked")]);
    record(store, Record { result: Some(result("c2")), ..waits }).await;
    assert_eq!(old(store, OldKind::Results, NOON).await, Vec::<String>::new());
    assert!(old(store, OldKind::Results, LATER).await.contains(&"c1".to_owned()));
    assert_eq!(prune(store, OldKind::Results, LATER, &["c1", "c2", "unknown"]).await, 1);
    assert_eq!(must(store.result("c1").await), None);
    assert!(must(store.result("c2").await).is_some());
    assert!(must(store.call("c1").await).is_some());
}

/// Only what is decided or over, of a call that is over.
pub async fn tickets_that_wait_stay(store: &dyn Store) {
    for (id, state, ends) in [("t1", TicketState::Denied, LATER), ("t2", TicketState::Pending, LATER * 2)] {
        let asked = records::ticket(id, &format!("c-{id}"));
        let asked = TicketRecord { state, expires_ms: ends, ..asked };
        record(store, Record { ticket: Some(asked), ..finish(&format!("c-{id}")) }).await;
    }
    let waits = Record::of(call("c3", CallState::AwaitingConfirmation), vec![event("c3", "asked")]);
    let over = TicketRecord { expires_ms: NOON, ..ticket("t3", "c3") };
    record(store, Record { ticket: Some(over), ..waits }).await;
    assert_eq!(prune(store, OldKind::Tickets, NOON, &["t1"]).await, 0, "made later");
    assert!(old(store, OldKind::Tickets, LATER).await.contains(&"t1".to_owned()));
    assert_eq!(prune(store, OldKind::Tickets, LATER, &["t1", "t2", "t3", "unknown"]).await, 1);
    assert!(must(store.ticket("t1").await).is_none());
    assert!(must(store.ticket("t2").await).is_some() && must(store.ticket("t3").await).is_some());
}

/// What strangers had a part in stays so.
pub async fn old_outcomes_are_let_go_and_marks_of_files_stay(store: &dyn Store) {
    let mark = OutcomeRecord { tool: FILE_MARK.to_owned(), ..outcome("c1", true) };
    record(store, Record { outcome: Some(outcome("c1", true)), marks: vec![mark], ..finish("c1") }).await;
    assert_eq!(old(store, OldKind::Outcomes, NOON).await, Vec::<String>::new());
    let names = old(store, OldKind::Outcomes, LATER).await;
    assert_eq!(names.len(), 1);
    let every: Vec<String> = (0..5).map(|number| number.to_string()).chain(names).collect();
    let every: Vec<&str> = every.iter().map(String::as_str).collect();
    assert_eq!(prune(store, OldKind::Outcomes, LATER, &every).await, 1);
    assert_eq!(must(store.outcomes("s", "t", "send", 9).await), []);
    assert_eq!(must(store.outcomes("s", "t", FILE_MARK, 9).await).len(), 1);
}

/// Each page goes on behind the last name of the one before.
pub async fn old_names_come_in_pages(store: &dyn Store) {
    for number in 0..5 {
        run(store, &format!("c{number}"), &format!("k{number}"), Ending::Succeeded).await;
    }
    let mut filter = OldFilter { kind: OldKind::Keys, before_ms: LATER, after: None, limit: 2 };
    let mut pages = Vec::new();
    loop {
        let names = must(store.old(&filter).await);
        let Some(last) = names.last() else { break };
        filter.after = Some(last.clone());
        pages.push(names.len());
    }
    assert_eq!(pages, [2, 2, 1]);
}

/// Those claimed last come first.
pub async fn keys_are_listed_by_filter(store: &dyn Store) {
    for (number, ending) in [(1, Ending::Succeeded), (2, Ending::InDoubt), (3, Ending::Partial)] {
        let mut request =
            Begin { claims: vec![claim(&format!("k{number}"), "f")], ..records::begin(&format!("c{number}")) };
        request.now_ms = NOON + number;
        fences(begin(store, request).await);
        let settle = vec![settle(&format!("k{number}"), 1, ending)];
        record(store, Record { settle, ..finish(&format!("c{number}")) }).await;
    }
    let listed = async |filter: KeyFilter| -> Vec<String> {
        must(store.keys(&filter).await).into_iter().map(|key| key.key).collect()
    };
    let any = KeyFilter::default;
    assert_eq!(listed(any()).await, ["k3", "k2", "k1"]);
    assert_eq!(listed(KeyFilter { limit: Some(2), ..any() }).await, ["k3", "k2"]);
    assert_eq!(listed(KeyFilter { states: vec![KeyState::InDoubt, KeyState::Partial], ..any() }).await, ["k3", "k2"]);
    assert_eq!(listed(KeyFilter { call_id: Some("c1".to_owned()), ..any() }).await, ["k1"]);
    assert_eq!(listed(KeyFilter { key: Some("k2".to_owned()), ..any() }).await, ["k2"]);
    assert_eq!(listed(KeyFilter { before_ms: Some(NOON + 2), ..any() }).await, ["k1"]);
    assert_eq!(
        listed(KeyFilter { session: Some("s".to_owned()), tool: Some("send".to_owned()), ..any() }).await.len(),
        3
    );
    assert_eq!(listed(KeyFilter { session: Some("other".to_owned()), ..any() }).await, Vec::<String>::new());
    assert_eq!(listed(KeyFilter { tool: Some("other".to_owned()), ..any() }).await, Vec::<String>::new());
}
