//! Connections that end at the worst moment and servers that go away: what was answered is there, what is there was
//! answered, and nothing is done twice.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests may panic")]

mod common;
#[path = "common/proxy.rs"]
mod proxy;
#[path = "common/told.rs"]
mod told;

use std::sync::Arc;
use std::time::Duration;

use common::{fresh_schema, open, options, server};
use proxy::Cut;
use tokio::task::JoinSet;
use told::{fact, faults};
use toolgate_core::ledger::{Ending, KeyState};
use toolgate_core::store::{Begin, Begun, CallFilter, Record, Store, StoreFault, Write, Written, write_one};
use toolgate_postgres::PostgresStore;
use toolgate_testing::PgServer;
use toolgate_testing::records::{self, claim, finish, settle};

async fn begin(store: &dyn Store, call_id: &str, key: &str) -> Begun {
    let request = Begin { claims: vec![claim(key, "f")], ..records::begin(call_id) };
    match write_one(store, Write::Begin(Box::new(request))).await.unwrap() {
        Written::Begun(begun) => begun,
        other => panic!("{other:?}"),
    }
}

async fn end(store: &dyn Store, call_id: &str, key: &str) {
    let record = Record { settle: vec![settle(key, 1, Ending::Succeeded)], ..finish(call_id) };
    write_one(store, Write::Record(Box::new(record))).await.unwrap();
}

async fn through(server: &PgServer, cut: Cut) -> (PostgresStore, proxy::Cuts) {
    let (address, cuts) = proxy::start(server.port(), cut).await;
    let url = format!("postgres://postgres@127.0.0.1:{}/postgres", address.port());
    (PostgresStore::open(&url, options(&fresh_schema())).await.unwrap(), cuts)
}

/// A repeat by the store itself would be answered `Taken`, and one that is missing could run again.
async fn every_commit_is_cut_once(cut: Cut) {
    let Some(server) = server() else { return };
    let (store, cuts) = through(server, cut).await;
    for number in 1..=5 {
        let (call_id, key) = (format!("c{number}"), format!("k{number}"));
        cuts.arm(1);
        assert!(matches!(begin(&store, &call_id, &key).await, Begun::Started { .. }), "{cut:?}");
        cuts.arm(1);
        end(&store, &call_id, &key).await;
        let keys = store.recall(&[key], "s").await.unwrap().keys;
        assert_eq!(keys[0].as_ref().map(|key| (key.state, key.attempts)), Some((KeyState::Succeeded, 1)));
        assert_eq!(store.call(&call_id).await.unwrap().unwrap().events.len(), 2, "each is recorded once");
    }
    assert_eq!(cuts.done(), 10);
    assert_eq!(faults(&store).await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn commit_that_the_server_never_saw_is_done_again() {
    every_commit_is_cut_once(Cut::Before).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn commit_whose_answer_was_lost_is_read_back_and_not_done_again() {
    every_commit_is_cut_once(Cut::After).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn batch_whose_commit_is_cut_has_the_same_answers() {
    let Some(server) = server() else { return };
    for cut in [Cut::Before, Cut::After] {
        let (store, cuts) = through(server, cut).await;
        let store = Arc::new(store);
        cuts.arm(3);
        let mut racers = JoinSet::new();
        for number in 0..40 {
            let store = Arc::clone(&store);
            racers.spawn(async move { begin(&*store, &format!("c{number}"), &format!("k{}", number % 10)).await });
        }
        let answers = racers.join_all().await;
        let started = answers.iter().filter(|begun| matches!(begun, Begun::Started { .. })).count();
        assert_eq!(started, 10, "{cut:?}: one for each key");
        assert_eq!(store.calls(&CallFilter::default()).await.unwrap().len(), 10);
        assert!(cuts.done() > 0);
        assert_eq!(faults(&*store).await, Vec::<String>::new());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn backends_that_are_ended_at_random_lose_nothing() {
    let Some(server) = server() else { return };
    let schema = fresh_schema();
    let url = server.create_database("ended").unwrap();
    let stores: Vec<Arc<PostgresStore>> =
        (0..3).map(|_| Arc::new(PostgresStore::open_blocking(&url, options(&schema)).unwrap())).collect();
    let mut callers = JoinSet::new();
    for number in 0..120 {
        let store = Arc::clone(&stores[number % 3]);
        callers.spawn(async move {
            let (call_id, key) = (format!("c{number}"), format!("k{}", number / 2));
            if let Begun::Started { .. } = begin(&*store, &call_id, &key).await {
                end(&*store, &call_id, &key).await;
                return 1;
            }
            0
        });
    }
    let enders = (0..15).map(|_| {
        let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'ended' \
                   AND pid <> pg_backend_pid() ORDER BY random() LIMIT 2";
        server.psql("ended", sql).unwrap();
    });
    let enders = tokio::task::block_in_place(|| enders.count());
    let effects: usize = callers.join_all().await.into_iter().sum();
    assert_eq!((enders, effects), (15, 60), "one effect for each key");
    assert_eq!(stores[0].calls(&CallFilter::default()).await.unwrap().len(), 60);
    assert_eq!(faults(&*stores[1]).await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn server_that_is_away_refuses_and_one_that_is_back_goes_on() {
    let Some(mut server) = PgServer::start() else { return };
    let options = options("gone").wait(Duration::from_secs(3));
    let store = PostgresStore::open(&server.url("postgres"), options).await.unwrap();
    begin(&store, "c1", "k1").await;
    server.stop().unwrap();
    let refused = write_one(&store, Write::Begin(Box::new(records::begin("c2")))).await.unwrap_err();
    assert_eq!(refused.fault(), StoreFault::Gone, "{refused}");
    assert!(store.recall(&["k1".to_owned()], "s").await.is_err());
    server.start_again().unwrap();
    end(&store, "c1", "k1").await;
    assert!(store.call("c2").await.unwrap().is_none());
    server.crash().unwrap();
    server.start_again().unwrap();
    assert!(matches!(begin(&store, "c3", "k1").await, Begun::Taken { .. }), "what was answered outlives a crash");
    let report = store.report().await.unwrap();
    assert_eq!(report.faults, Vec::<String>::new());
    assert_eq!(fact(&report, "chain"), "gate-1", "its own chain goes on");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn store_that_is_opened_again_goes_on_with_the_chain_that_was_left() {
    let Some(server) = server() else { return };
    let schema = fresh_schema();
    let (first, second) = (open(server, &schema), open(server, &schema));
    begin(&*first, "c1", "k1").await;
    begin(&*second, "c2", "k2").await;
    assert_eq!(fact(&second.report().await.unwrap(), "chain"), "gate-2");
    drop(first);
    let third = open(server, &schema);
    end(&*third, "c1", "k1").await;
    let report = third.report().await.unwrap();
    assert_eq!(report.faults, Vec::<String>::new());
    assert_eq!(fact(&report, "chain"), "gate-1");
    assert!(fact(&report, "chain_head gate-1").starts_with("2 "));
}
