//! The store that fails on purpose fails where it is told to, and nowhere else.

#![expect(clippy::unwrap_used, reason = "tests may panic")]

use std::sync::Arc;
use std::time::Duration;

use toolgate_core::store::{CallFilter, MemoryStore, Store, StoreFault, Write, write_one};
use toolgate_testing::records::finish;
use toolgate_testing::{FaultStore, When, store_conformance};

fn store() -> FaultStore {
    FaultStore::new(Arc::new(MemoryStore::new().unwrap()))
}

fn write(call_id: &str) -> Write {
    Write::Record(Box::new(finish(call_id)))
}

async fn stored(store: &FaultStore) -> Vec<String> {
    let calls = store.inner().calls(&CallFilter::default()).await.unwrap();
    calls.into_iter().rev().map(|call| call.call_id).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_plan_it_conforms() {
    store_conformance(|| Arc::new(store()) as Arc<dyn Store>).await;
}

#[tokio::test]
async fn the_nth_write_fails_before_or_after_it_is_stored() {
    let store = store();
    store.fail_write(2, StoreFault::Full, When::Before);
    store.fail_write(3, StoreFault::Io, When::After);
    let answers = store.write(["a", "b", "c", "d"].map(write).into()).await;
    let faults: Vec<_> = answers.into_iter().map(|answer| answer.err().map(|error| error.fault())).collect();
    assert_eq!(faults, [None, Some(StoreFault::Full), Some(StoreFault::Io), None]);
    assert_eq!(stored(&store).await, ["a", "c", "d"]);
    assert_eq!(store.writes(), 4);
}

#[tokio::test]
async fn a_store_that_is_gone_stays_gone_until_it_heals() {
    let store = store();
    store.fail_writes_from(2, StoreFault::Gone, When::Before);
    store.fail_reads_from(1, StoreFault::Gone);
    let mut gone = Vec::new();
    for call_id in ["a", "b", "c"] {
        gone.push(write_one(&store, write(call_id)).await.is_err());
    }
    assert_eq!(gone, [false, true, true]);
    assert_eq!(store.stops().await.unwrap_err().fault(), StoreFault::Gone);
    store.heal();
    assert!(write_one(&store, write("d")).await.is_ok());
    assert!(store.stops().await.is_ok());
    assert_eq!((store.writes(), store.reads()), (4, 2));
}

#[tokio::test]
async fn the_nth_read_fails() {
    let store = store();
    store.fail_read(2, StoreFault::Busy);
    assert!(store.stops().await.is_ok());
    assert_eq!(store.call("a").await.unwrap_err().fault(), StoreFault::Busy);
    assert!(store.call("a").await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_stalled_store_answers_once_it_is_let_go() {
    let store = Arc::new(store());
    let stall = store.stall();
    let waiting = tokio::spawn({
        let store = Arc::clone(&store);
        async move { write_one(&*store, write("a")).await.is_ok() }
    });
    tokio::time::sleep(Duration::from_mins(1)).await;
    assert!(!waiting.is_finished());
    assert!(stored(&store).await.is_empty());
    drop(stall);
    assert!(waiting.await.unwrap());
    assert_eq!(stored(&store).await, ["a"]);
}
