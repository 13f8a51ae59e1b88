//! What readers see: everything committed, in the promised order, through every filter.

use std::sync::Arc;

use toolgate_core::ledger::CallState;
use toolgate_core::store::{CallFilter, OutcomeRecord, Past, Record, Store, TicketFilter, TicketState};

use super::{Fresh, begin, fences, must, record};
use crate::records::{self, NOON, call, claim, finish, outcome, ticket};

/// Every part of this file.
pub async fn all(fresh: Fresh<'_>) {
    nothing_is_found_in_an_empty_store(&*fresh()).await;
    calls_are_listed_newest_first(&*fresh()).await;
    each_call_filter_filters(&*fresh()).await;
    each_ticket_filter_filters(&*fresh()).await;
    recall_answers_in_the_order_asked(&*fresh()).await;
    outcomes_are_of_one_tool_in_one_task(&*fresh()).await;
    past_is_the_first_holder_and_the_highest_turn(&*fresh()).await;
    past_knows_whether_a_task_was_tainted(&*fresh()).await;
    marks_are_found_by_their_place(&*fresh()).await;
}

/// Absence is an answer, not an error.
pub async fn nothing_is_found_in_an_empty_store(store: &dyn Store) {
    assert!(must(store.call("c").await).is_none());
    assert!(must(store.calls(&CallFilter::default()).await).is_empty());
    assert!(must(store.ticket("t").await).is_none());
    assert!(must(store.tickets(&TicketFilter::default()).await).is_empty());
    assert!(must(store.result("c").await).is_none());
    assert!(must(store.outcomes("s", "t", "x", 5).await).is_empty());
    assert!(must(store.stops().await).is_empty());
    assert_eq!(must(store.report().await).faults, Vec::<String>::new());
}

async fn listed(store: &dyn Store, filter: CallFilter) -> Vec<String> {
    must(store.calls(&filter).await).into_iter().map(|call| call.call_id).collect()
}

/// By when they were first written, not by when they were written last.
pub async fn calls_are_listed_newest_first(store: &dyn Store) {
    for call_id in ["a", "b", "c"] {
        record(store, Record::of(call(call_id, CallState::Running), Vec::new())).await;
    }
    record(store, finish("a")).await;
    assert_eq!(listed(store, CallFilter::default()).await, ["c", "b", "a"]);
    assert_eq!(listed(store, CallFilter { limit: Some(2), ..CallFilter::default() }).await, ["c", "b"]);
    assert!(listed(store, CallFilter { limit: Some(0), ..CallFilter::default() }).await.is_empty());
}

fn calls(set: impl FnOnce(&mut CallFilter)) -> CallFilter {
    let mut filter = CallFilter::default();
    set(&mut filter);
    filter
}

fn tickets(set: impl FnOnce(&mut TicketFilter)) -> TicketFilter {
    let mut filter = TicketFilter::default();
    set(&mut filter);
    filter
}

/// Each alone, and some together.
pub async fn each_call_filter_filters(store: &dyn Store) {
    record(store, finish("a")).await;
    let mut other = Record::of(call("b", CallState::Denied), Vec::new());
    "s2".clone_into(&mut Arc::make_mut(&mut other.call).session);
    "t2".clone_into(&mut Arc::make_mut(&mut other.call).task);
    "get".clone_into(&mut Arc::make_mut(&mut other.call).tool);
    "PERMISSION_DENIED".clone_into(&mut Arc::make_mut(&mut other.call).code);
    Arc::make_mut(&mut other.call).received_ms = NOON + 10;
    record(store, other).await;
    for (found, filter) in [
        (vec!["b"], calls(|filter| filter.session = Some("s2".into()))),
        (vec!["b"], calls(|filter| filter.task = Some("t2".into()))),
        (vec!["b"], calls(|filter| filter.tool = Some("get".into()))),
        (vec!["b"], calls(|filter| filter.code = Some("PERMISSION_DENIED".into()))),
        (vec!["a"], calls(|filter| filter.code = Some("OK".into()))),
        (vec!["b"], calls(|filter| filter.state = Some("DENIED".into()))),
        (vec!["a"], calls(|filter| filter.state = Some("SUCCEEDED".into()))),
        (vec!["b", "a"], calls(|filter| filter.since_ms = Some(NOON))),
        (vec!["b"], calls(|filter| filter.since_ms = Some(NOON + 10))),
        (vec!["a"], calls(|filter| filter.until_ms = Some(NOON + 10))),
        (vec![], calls(|filter| filter.until_ms = Some(NOON))),
        (vec![], calls(|filter| (filter.session, filter.tool) = (Some("s".into()), Some("get".into())))),
        (vec!["a"], calls(|filter| (filter.session, filter.code) = (Some("s".into()), Some("OK".into())))),
    ] {
        assert_eq!(listed(store, filter.clone()).await, found, "{filter:?}");
    }
}

/// Each alone; time doesn't count.
pub async fn each_ticket_filter_filters(store: &dyn Store) {
    record(store, Record { ticket: Some(ticket("t1", "a")), ..finish("a") }).await;
    let mut other = ticket("t2", "b");
    "s2".clone_into(&mut other.session);
    "get".clone_into(&mut other.tool);
    "d2".clone_into(&mut other.digest);
    other.state = TicketState::Denied;
    other.expires_ms = 0;
    record(store, Record { ticket: Some(other.clone()), ..finish("b") }).await;
    for (found, filter) in [
        (vec!["t2", "t1"], TicketFilter::default()),
        (vec!["t2"], tickets(|filter| filter.limit = Some(1))),
        (vec!["t2"], tickets(|filter| filter.session = Some("s2".into()))),
        (vec!["t2"], tickets(|filter| filter.tool = Some("get".into()))),
        (vec!["t2"], tickets(|filter| filter.digest = Some("d2".into()))),
        (vec!["t1"], tickets(|filter| filter.state = Some(TicketState::Pending))),
        (vec!["t2"], tickets(|filter| filter.state = Some(TicketState::Denied))),
        (vec![], tickets(|filter| filter.state = Some(TicketState::Expired))),
    ] {
        let listed = must(store.tickets(&filter).await);
        let ids: Vec<&str> = listed.iter().map(|ticket| ticket.id.as_str()).collect();
        assert_eq!(ids, found, "{filter:?}");
    }
    assert_eq!(super::ticket(store, "t2").await, other);
}

/// With a gap where a key was never seen.
pub async fn recall_answers_in_the_order_asked(store: &dyn Store) {
    let mut request = records::begin("c1");
    request.claims = vec![claim("k1", "f"), claim("k2", "f")];
    fences(begin(store, request).await);
    let asked = ["k2", "never", "k1"].map(str::to_owned);
    let recalled = must(store.recall(&asked, "s").await);
    let found: Vec<Option<String>> = recalled.keys.into_iter().map(|key| key.map(|key| key.key)).collect();
    assert_eq!(found, [Some("k2".to_owned()), None, Some("k1".to_owned())]);
}

/// Newest first, and no more than asked for.
pub async fn outcomes_are_of_one_tool_in_one_task(store: &dyn Store) {
    for (call_id, ok) in [("a", true), ("b", false), ("c", true)] {
        record(store, Record { outcome: Some(outcome(call_id, ok)), ..finish(call_id) }).await;
    }
    for (session, task, tool) in [("s2", "t", "send"), ("s", "t2", "send"), ("s", "t", "get")] {
        let mut other = outcome("x", true);
        other.session = session.to_owned();
        other.task = task.to_owned();
        other.tool = tool.to_owned();
        record(store, Record { outcome: Some(other), ..finish("x") }).await;
    }
    let newest = must(store.outcomes("s", "t", "send", 2).await);
    assert_eq!(newest, [outcome("c", true), outcome("b", false)]);
    assert_eq!(must(store.outcomes("s", "t", "send", 9).await).len(), 3);
}

/// Marks of files are outcomes of their workspace, from the start of a call and with its end.
pub async fn marks_are_found_by_their_place(store: &dyn Store) {
    let mark = |place: &str| OutcomeRecord { task: place.to_owned(), ..outcome("c", true) };
    let mut request = records::begin("c");
    request.marks = vec![mark("a.txt")];
    fences(begin(store, request).await);
    assert_eq!(must(store.outcomes("s", "a.txt", "send", 1).await), [mark("a.txt")]);
    record(store, Record { outcome: Some(outcome("c", true)), marks: vec![mark("b.txt")], ..finish("c") }).await;
    assert_eq!(must(store.outcomes("s", "b.txt", "send", 9).await), [mark("b.txt")]);
    assert_eq!(must(store.outcomes("s", "t", "send", 9).await).len(), 1);
}

/// A task is tainted by each of its calls that says so, and by no other task's.
pub async fn past_knows_whether_a_task_was_tainted(store: &dyn Store) {
    let of = |call_id: &str, task: &str, (tainted, untrusted): (bool, bool)| {
        let mut record = finish(call_id);
        let call = Arc::make_mut(&mut record.call);
        "A".clone_into(&mut call.tenant);
        task.clone_into(&mut call.task);
        (call.tainted, call.untrusted) = (tainted, untrusted);
        record
    };
    record(store, of("a", "calm", (false, false))).await;
    record(store, of("b", "read", (false, true))).await;
    record(store, of("c", "later", (true, false))).await;
    record(store, of("d", "later", (false, false))).await;
    for (task, tainted) in [("calm", false), ("read", true), ("later", true), ("none", false)] {
        assert_eq!(must(store.past("A", "s", task).await).tainted, tainted, "{task}");
    }
    assert!(!must(store.past("B", "s", "read").await).tainted);
}

/// Whoever made the first call holds the session; a task's turns are its own, a tenant's sessions too.
pub async fn past_is_the_first_holder_and_the_highest_turn(store: &dyn Store) {
    assert_eq!(must(store.past("A", "s", "t").await), Past::default());
    let of = |call_id: &str, user: Option<&str>, turn: Option<u64>| {
        let mut record = finish(call_id);
        "A".clone_into(&mut Arc::make_mut(&mut record.call).tenant);
        let call = Arc::make_mut(&mut record.call);
        (call.user, call.turn) = (user.map(str::to_owned), turn);
        record
    };
    record(store, of("a", Some("ann"), Some(2))).await;
    record(store, of("b", Some("eve"), Some(12))).await;
    record(store, of("c", None, Some(9))).await;
    record(store, of("d", None, None)).await;
    for (call_id, change) in [("e", 0), ("f", 1), ("g", 2)] {
        let mut other = of(call_id, None, Some(99));
        let call = Arc::make_mut(&mut other.call);
        let changed = [&mut call.tenant, &mut call.session, &mut call.task].into_iter().nth(change);
        changed.into_iter().for_each(|name| "other".clone_into(name));
        record(store, other).await;
    }
    let past = must(store.past("A", "s", "t").await);
    let holder = past.holder.map(|holder| (holder.principal, holder.user));
    assert_eq!(holder, Some(("agent".to_owned(), Some("ann".to_owned()))));
    assert_eq!(past.turn, Some(12), "by number, not as text, and not the last one");
    assert_eq!(must(store.past("A", "s", "never").await).turn, None);
}
