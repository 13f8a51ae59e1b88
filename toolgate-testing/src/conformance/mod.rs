//! What every store must keep: one suite for all back ends, whole or part by part. Each part wants a
//! store in which nothing is yet, and panics where a promise is broken.
//!
//! Not here: durability; what survives a crash can't be seen from inside of one process.

#![expect(clippy::missing_panics_doc, reason = "every part panics where the store breaks a promise, and says so above")]

pub mod begin;
pub mod chain;
pub mod leases;
pub mod races;
pub mod reads;
pub mod record;
pub mod resolutions;
pub mod retention;
pub mod stops;
pub mod sweep;
pub mod tickets;

use std::sync::Arc;

use toolgate_core::store::{
    Begin, Begun, CallStory, KeyRecord, Record, Store, StoreError, StoreFault, TicketRecord, Write, Written, write_one,
};

/// Runs every part, each against a store of its own from `fresh`. Needs a tokio runtime; one with
/// several threads lets the races be real.
pub async fn store_conformance(mut fresh: impl FnMut() -> Arc<dyn Store>) {
    begin::all(&mut fresh).await;
    record::all(&mut fresh).await;
    tickets::all(&mut fresh).await;
    stops::all(&mut fresh).await;
    sweep::all(&mut fresh).await;
    leases::all(&mut fresh).await;
    resolutions::all(&mut fresh).await;
    retention::all(&mut fresh).await;
    reads::all(&mut fresh).await;
    chain::all(&mut fresh).await;
    races::all(&mut fresh).await;
}

/// Where a part gets its store.
pub(crate) type Fresh<'a> = &'a mut dyn FnMut() -> Arc<dyn Store>;

#[track_caller]
#[expect(clippy::panic, reason = "a store that fails here breaks a promise")]
pub(crate) fn must<T>(answer: Result<T, StoreError>) -> T {
    match answer {
        Ok(value) => value,
        Err(error) => panic!("the store failed: {error}"),
    }
}

#[track_caller]
pub(crate) fn must_be_conflict<T>(answer: &Result<T, StoreError>) {
    let fault = answer.as_ref().err().map(StoreError::fault);
    assert_eq!(fault, Some(StoreFault::Conflict), "an illegal write must be a conflict");
}

#[track_caller]
#[expect(clippy::panic, reason = "an answer of another kind breaks a promise")]
pub(crate) fn begun(written: Written) -> Begun {
    match written {
        Written::Begun(begun) => begun,
        other => panic!("a begin was answered with {other:?}"),
    }
}

#[track_caller]
#[expect(clippy::panic, reason = "an answer of another kind breaks a promise")]
pub(crate) fn fences(begun: Begun) -> Vec<u64> {
    match begun {
        Begun::Started { fences } => fences,
        other => panic!("the call should have started, but: {other:?}"),
    }
}

#[track_caller]
#[expect(clippy::panic, reason = "an answer of another kind breaks a promise")]
pub(crate) fn taken(begun: Begun) -> (usize, KeyRecord) {
    match begun {
        Begun::Taken { claim, key } => (claim, key),
        other => panic!("the key should have been taken, but: {other:?}"),
    }
}

pub(crate) async fn begin(store: &dyn Store, begin: Begin) -> Begun {
    begun(must(write_one(store, Write::Begin(Box::new(begin))).await))
}

pub(crate) async fn try_record(store: &dyn Store, record: Record) -> Result<Written, StoreError> {
    write_one(store, Write::Record(Box::new(record))).await
}

pub(crate) async fn record(store: &dyn Store, record: Record) {
    assert!(matches!(must(try_record(store, record).await), Written::Done), "a record is answered with `Done`");
}

pub(crate) async fn key(store: &dyn Store, key: &str) -> Option<KeyRecord> {
    let keys = [key.to_owned()];
    let recalled = must(store.recall(&keys, "no session").await);
    assert_eq!(recalled.keys.len(), 1, "recall answers for each key");
    recalled.keys.into_iter().next().flatten()
}

#[track_caller]
#[expect(clippy::panic, reason = "what was written is there")]
pub(crate) fn there<T>(found: Option<T>) -> T {
    match found {
        Some(found) => found,
        None => panic!("what was written isn't there"),
    }
}

pub(crate) async fn story(store: &dyn Store, call_id: &str) -> CallStory {
    there(must(store.call(call_id).await))
}

pub(crate) async fn ticket(store: &dyn Store, id: &str) -> TicketRecord {
    there(must(store.ticket(id).await))
}

/// How often each kind stands among the events of a call.
pub(crate) fn count_events(story: &CallStory, kind: &str) -> usize {
    story.events.iter().filter(|event| event.kind == kind).count()
}
