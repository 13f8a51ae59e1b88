//! Aborts: what is stopped stays stopped until a person resumes it.

use std::sync::Arc;

use toolgate_core::store::{Begin, Begun, Record, Resume, StopReach, Store, Write, Written, write_one};

use super::{Fresh, begin, count_events, must, record, story};
use crate::records::{self, NOON, finish};

/// Every part of this file.
pub async fn all(fresh: Fresh<'_>) {
    tool_stop_reaches_one_tool_in_one_task(&*fresh()).await;
    session_stop_reaches_every_task_of_it(&*fresh()).await;
    reads_are_not_stopped(&*fresh()).await;
    resume_ends_the_stops_it_names(&*fresh()).await;
}

async fn stop(store: &dyn Store, call_id: &str, task: &str, reach: StopReach) {
    let mut failed = Record { stop: Some((reach, NOON)), ..finish(call_id) };
    task.clone_into(&mut Arc::make_mut(&mut failed.call).task);
    record(store, failed).await;
}

async fn is_stopped(store: &dyn Store, session: &str, task: &str, tool: &str, risk: &str) -> bool {
    let mut request: Begin = records::begin(&format!("{session}/{task}/{tool}/{risk}"));
    session.clone_into(&mut Arc::make_mut(&mut request.call).session);
    task.clone_into(&mut Arc::make_mut(&mut request.call).task);
    tool.clone_into(&mut Arc::make_mut(&mut request.call).tool);
    Arc::make_mut(&mut request.call).risk = (!risk.is_empty()).then(|| risk.to_owned());
    matches!(begin(store, request).await, Begun::Stopped(_))
}

/// Other tools, other tasks and other sessions go on.
pub async fn tool_stop_reaches_one_tool_in_one_task(store: &dyn Store) {
    stop(store, "c1", "t", StopReach::Tool).await;
    assert!(is_stopped(store, "s", "t", "send", "external").await);
    assert!(!is_stopped(store, "s", "t", "other", "external").await);
    assert!(!is_stopped(store, "s", "t2", "send", "external").await);
    assert!(!is_stopped(store, "s2", "t", "send", "external").await);
    let stops = must(store.stops().await);
    let seen: Vec<_> = stops.iter().map(|stop| (stop.id, stop.call_id.as_str(), stop.reach, stop.at_ms)).collect();
    assert_eq!(seen, [(1, "c1", StopReach::Tool, NOON)]);
    assert_eq!(must(store.recall(&[], "s").await).stops, stops);
    assert_eq!(must(store.recall(&[], "s2").await).stops, []);
}

/// Whatever the task and the tool.
pub async fn session_stop_reaches_every_task_of_it(store: &dyn Store) {
    stop(store, "c1", "t", StopReach::Session).await;
    assert!(is_stopped(store, "s", "t2", "other", "write").await);
    assert!(is_stopped(store, "s", "t2", "other", "").await, "a call of unknown risk may have an effect");
    assert!(!is_stopped(store, "s2", "t", "send", "write").await);
}

/// Reading changes nothing.
pub async fn reads_are_not_stopped(store: &dyn Store) {
    stop(store, "c1", "t", StopReach::Session).await;
    assert!(!is_stopped(store, "s", "t", "send", "read").await);
}

async fn resume(store: &dyn Store, task: Option<&str>) -> Option<u64> {
    let task = task.map(str::to_owned);
    let resume = Resume { session: "s".to_owned(), task, by: "bob".to_owned(), now_ms: NOON + 9 };
    match must(write_one(store, Write::Resume(resume)).await) {
        Written::Resumed(count) => Some(count),
        _ => None,
    }
}

/// Those of one task, then all of the session, each once, and with an event each.
pub async fn resume_ends_the_stops_it_names(store: &dyn Store) {
    stop(store, "c1", "t", StopReach::Tool).await;
    stop(store, "c2", "t", StopReach::Session).await;
    stop(store, "c3", "t2", StopReach::Session).await;
    assert_eq!(resume(store, Some("t")).await, Some(2));
    let left: Vec<u64> = must(store.stops().await).iter().map(|stop| stop.id).collect();
    assert_eq!(left, [3]);
    assert!(is_stopped(store, "s", "t", "send", "write").await);
    assert_eq!(resume(store, None).await, Some(1));
    assert_eq!(resume(store, None).await, Some(0));
    assert!(!is_stopped(store, "s", "t", "send", "write").await);
    assert_eq!(count_events(&story(store, "c2").await, "resumed"), 1);
}
