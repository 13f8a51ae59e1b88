//! What stands in the file after a clean end, and who commits. Not a backup of a file in use.

mod common;

use std::fs;
use std::sync::Arc;

use common::Dir;
use toolgate_core::store::{Store, StoreFault, Write, write_one};
use toolgate_sqlite::SqliteStore;
use toolgate_testing::records::finish;

fn write(call_id: &str) -> Write {
    Write::Record(Box::new(finish(call_id)))
}

#[tokio::test]
async fn file_and_key_alone_are_a_whole_backup_after_a_clean_end() {
    let dir = Dir::new();
    let store = SqliteStore::open(dir.file("gate.db")).unwrap();
    write_one(&store, write("a")).await.unwrap();
    assert!(store.call("a").await.unwrap().is_some());
    drop(store);
    assert!(!dir.file("gate.db-wal").exists());
    fs::copy(dir.file("gate.db"), dir.file("copy.db")).unwrap();
    fs::copy(dir.file("gate.db.key"), dir.file("copy.db.key")).unwrap();
    let copy = SqliteStore::open(dir.file("copy.db")).unwrap();
    assert!(copy.call("a").await.unwrap().is_some());
    assert_eq!(copy.report().await.unwrap().faults, Vec::<String>::new());
}

#[tokio::test]
async fn a_store_that_ends_beside_another_takes_nothing_from_it() {
    let dir = Dir::new();
    let one = SqliteStore::open(dir.file("gate.db")).unwrap();
    let other = SqliteStore::open(dir.file("gate.db")).unwrap();
    write_one(&one, write("a")).await.unwrap();
    drop(one);
    write_one(&other, write("b")).await.unwrap();
    assert!(other.call("a").await.unwrap().is_some());
    drop(other);
    assert!(!dir.file("gate.db-wal").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lone_and_crowded_writes_all_end_up_in_one_chain() {
    let dir = Dir::new();
    let store = Arc::new(SqliteStore::open(dir.file("gate.db")).unwrap());
    for round in 0..3 {
        let lone = Arc::clone(&store);
        let writing = async move { write_one(&*lone, write(&format!("lone{round}"))).await };
        tokio::spawn(writing).await.unwrap().unwrap();
        let crowd = (0..40).map(|caller| {
            let store = Arc::clone(&store);
            tokio::spawn(async move { write_one(&*store, write(&format!("crowd{round}.{caller}"))).await })
        });
        for writing in crowd.collect::<Vec<_>>() {
            writing.await.unwrap().unwrap();
        }
    }
    let report = store.report().await.unwrap();
    assert_eq!(report.faults, Vec::<String>::new());
    assert!(report.facts.contains(&("events".to_owned(), "123".to_owned())), "{:?}", report.facts);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lone_write_waits_for_another_process() {
    let dir = Dir::new();
    let store = Arc::new(SqliteStore::open(dir.file("gate.db")).unwrap());
    let other = rusqlite::Connection::open(dir.file("gate.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let writing = {
        let store = Arc::clone(&store);
        tokio::spawn(async move { write_one(&*store, write("a")).await })
    };
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    assert!(!writing.is_finished());
    other.execute_batch("COMMIT").unwrap();
    writing.await.unwrap().unwrap();
    assert!(store.call("a").await.unwrap().is_some());
}

/// Puts a copy of the database in its place, as who restores a backup does.
fn restore(dir: &Dir, backup: &str) {
    fs::copy(dir.file(backup), dir.file("gate.db")).unwrap();
}

/// Case I078.
#[tokio::test]
async fn a_restored_backup_is_refused_until_a_person_takes_it_on() {
    let dir = Dir::new();
    let store = SqliteStore::open(dir.file("gate.db")).unwrap();
    write_one(&store, write("a")).await.unwrap();
    drop(store);
    fs::copy(dir.file("gate.db"), dir.file("yesterday.db")).unwrap();
    let store = SqliteStore::open(dir.file("gate.db")).unwrap();
    write_one(&store, write("b")).await.unwrap();
    drop(store);
    restore(&dir, "yesterday.db");

    let error = SqliteStore::open(dir.file("gate.db")).unwrap_err();
    assert_eq!(error.fault(), StoreFault::Restored);
    assert!(error.to_string().contains("event 1") && error.to_string().contains("accept-restore"), "{error}");
    assert!(SqliteStore::open_read_only(dir.file("gate.db")).is_ok(), "it may be looked at");
    assert_eq!(SqliteStore::open(dir.file("gate.db")).unwrap_err().fault(), StoreFault::Restored, "still");

    let restored = SqliteStore::accept_restore(dir.file("gate.db"), "olga", 7).unwrap();
    assert_eq!((restored.events, restored.known), (1, 2));
    let store = SqliteStore::open(dir.file("gate.db")).unwrap();
    assert!(store.call("b").await.unwrap().is_none());
    write_one(&store, write("c")).await.unwrap();
    assert_eq!(store.report().await.unwrap().faults, Vec::<String>::new());
    drop(store);
    drop(SqliteStore::open(dir.file("gate.db")).unwrap());
}

#[tokio::test]
async fn a_backup_that_went_on_elsewhere_is_refused_too() {
    let dir = Dir::new();
    let store = SqliteStore::open(dir.file("gate.db")).unwrap();
    write_one(&store, write("a")).await.unwrap();
    drop(store);
    for name in ["gate.db", "gate.db.key"] {
        fs::copy(dir.file(name), dir.file(&name.replace("gate", "other"))).unwrap();
    }
    for (file, calls) in [("gate.db", ["b"].as_slice()), ("other.db", &["x", "y", "z"])] {
        let store = SqliteStore::open(dir.file(file)).unwrap();
        for call in calls {
            write_one(&store, write(call)).await.unwrap();
        }
    }
    restore(&dir, "other.db");
    let error = SqliteStore::open(dir.file("gate.db")).unwrap_err();
    assert_eq!(error.fault(), StoreFault::Restored, "as many events, but not those: {error}");
}

/// A process that was killed leaves what it wrote last, or a little less.
#[tokio::test]
async fn a_head_file_that_is_behind_or_missing_stops_nobody() {
    let dir = Dir::new();
    let store = SqliteStore::open(dir.file("gate.db")).unwrap();
    write_one(&store, write("a")).await.unwrap();
    let early = fs::read(dir.file("gate.db.head")).unwrap();
    write_one(&store, write("b")).await.unwrap();
    drop(store);
    fs::write(dir.file("gate.db.head"), early).unwrap();
    drop(SqliteStore::open(dir.file("gate.db")).unwrap());
    fs::write(dir.file("gate.db.head"), "").unwrap();
    drop(SqliteStore::open(dir.file("gate.db")).unwrap());
    fs::remove_file(dir.file("gate.db.head")).unwrap();
    drop(SqliteStore::open(dir.file("gate.db")).unwrap());
    fs::write(dir.file("gate.db.head"), "nonsense").unwrap();
    assert_eq!(SqliteStore::open(dir.file("gate.db")).unwrap_err().fault(), StoreFault::Restored);
    assert_eq!(SqliteStore::accept_restore(dir.file("gate.db"), "olga", 7).unwrap().known, 0);
    drop(SqliteStore::open(dir.file("gate.db")).unwrap());
}
