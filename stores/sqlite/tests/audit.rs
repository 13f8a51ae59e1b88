//! What a report finds in a file that somebody changed, and what a dropped store leaves.

#![expect(clippy::unwrap_used, reason = "tests may panic")]

mod common;

use std::future::poll_fn;
use std::task::Poll;

use common::Dir;
use rusqlite::Connection;
use toolgate_core::store::{Store, Write, write_one};
use toolgate_sqlite::{APPLICATION_ID, SCHEMA_VERSION, SqliteStore};
use toolgate_testing::records::finish;

fn write(call_id: &str) -> Write {
    Write::Record(Box::new(finish(call_id)))
}

async fn faults_after(change: &str) -> Vec<String> {
    let dir = Dir::new();
    let store = SqliteStore::open(dir.file("gate.db")).unwrap();
    for call_id in ["a", "b", "c", "d"] {
        write_one(&store, write(call_id)).await.unwrap();
    }
    Connection::open(dir.file("gate.db")).unwrap().execute_batch(change).unwrap();
    store.report().await.unwrap().faults
}

#[tokio::test]
async fn untouched_file_has_no_faults() {
    assert_eq!(faults_after("SELECT 1").await, Vec::<String>::new());
}

#[tokio::test]
async fn changed_event_is_found() {
    for change in ["body = '{}'", "kind = 'x'", "at_ms = 1", "call_id = 'a'", "link = 'x'"] {
        let faults = faults_after(&format!("UPDATE events SET {change} WHERE seq = 2")).await;
        assert!(faults.iter().any(|fault| fault.contains("event 2")), "{change}: {faults:?}");
    }
}

#[tokio::test]
async fn missing_and_moved_events_are_found() {
    for change in [
        "DELETE FROM events WHERE seq = 2",
        "DELETE FROM events WHERE seq = 1",
        "UPDATE events SET seq = 9 WHERE seq = 2",
        "DELETE FROM events WHERE seq = 3; UPDATE events SET seq = 3 WHERE seq = 4",
        "INSERT INTO events SELECT 5, call_id, kind, at_ms, body, link FROM events WHERE seq = 4",
    ] {
        assert_ne!(faults_after(change).await, Vec::<String>::new(), "{change}");
    }
}

#[tokio::test]
async fn report_tells_what_the_file_is() {
    let dir = Dir::new();
    let store = SqliteStore::open(dir.file("gate.db")).unwrap();
    write_one(&store, write("a")).await.unwrap();
    let facts = store.report().await.unwrap().facts;
    for (name, value) in [
        ("sqlite_version", rusqlite::version().to_owned()),
        ("application_id", APPLICATION_ID.to_string()),
        ("user_version", SCHEMA_VERSION.to_string()),
        ("journal_mode", "wal".to_owned()),
        ("calls", "1".to_owned()),
        ("events", "1".to_owned()),
        ("running_calls", "0".to_owned()),
        ("pending_tickets", "0".to_owned()),
    ] {
        assert!(facts.contains(&(name.to_owned(), value)), "{name}: {facts:?}");
    }
}

#[tokio::test]
async fn dropped_store_finishes_what_is_queued() {
    let dir = Dir::new();
    let store = SqliteStore::open(dir.file("gate.db")).unwrap();
    for number in 0..100 {
        let mut queued = store.write(vec![write(&format!("c{number}"))]);
        // Polled once, so that it is queued; then its caller goes away.
        poll_fn(|context| {
            let _ = queued.as_mut().poll(context);
            Poll::Ready(())
        })
        .await;
    }
    drop(store);
    let store = SqliteStore::open(dir.file("gate.db")).unwrap();
    assert!(store.call("c99").await.unwrap().is_some());
    assert_eq!(store.report().await.unwrap().faults, Vec::<String>::new());
}

#[tokio::test]
async fn filters_use_indexes() {
    let dir = Dir::new();
    drop(SqliteStore::open(dir.file("gate.db")).unwrap());
    let conn = Connection::open(dir.file("gate.db")).unwrap();
    for (table, condition) in [
        ("calls", "session = ?1"),
        ("calls", "task = ?1"),
        ("calls", "tool = ?1"),
        ("calls", "code = ?1 AND code <> 'OK'"),
        ("calls", "state = ?1 AND state <> 'SUCCEEDED'"),
        ("calls", "state = 'RUNNING' AND owner = ?1"),
        ("calls", "call_id = ?1"),
        ("events", "call_id = ?1"),
        ("keys", "key = ?1"),
        ("keys", "state = 'running' AND owner = ?1"),
        ("tickets", "id = ?1"),
        ("tickets", "session = ?1"),
        ("tickets", "tool = ?1"),
        ("tickets", "digest = ?1"),
        ("tickets", "state = ?1"),
        ("outcomes", "session = ?1 AND task = ?1 AND tool = ?1"),
        ("results", "call_id = ?1"),
        ("stops", "resumed_ms IS NULL AND session = ?1"),
    ] {
        let order = match table {
            "keys" => "",
            "events" => "ORDER BY seq",
            "calls" | "stops" => "ORDER BY id DESC",
            _ => "ORDER BY position DESC",
        };
        let order = if condition.starts_with("id =") { "" } else { order };
        let sql = format!("EXPLAIN QUERY PLAN SELECT * FROM {table} WHERE {condition} {order}");
        let mut statement = conn.prepare(&sql).unwrap();
        let plan: Vec<String> = statement.query_map(["x"], |row| row.get(3)).unwrap().map(Result::unwrap).collect();
        let fast = plan.iter().all(|line| line.starts_with("SEARCH"));
        assert!(fast, "{table} {condition}: {plan:?}");
    }
}
