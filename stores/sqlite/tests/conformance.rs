//! The SQLite store keeps the promises of a store, alone and with another over the same file.

#![expect(clippy::unwrap_used, reason = "tests may panic")]

mod common;

use std::sync::Arc;

use common::Dir;
use toolgate_core::store::Store;
use toolgate_sqlite::SqliteStore;
use toolgate_testing::conformance::races;
use toolgate_testing::store_conformance;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sqlite_store_conforms() {
    let mut dirs = Vec::new();
    store_conformance(|| {
        let dir = Dir::new();
        let store = SqliteStore::open(dir.file("gate.db")).unwrap();
        dirs.push(dir);
        Arc::new(store) as Arc<dyn Store>
    })
    .await;
}

fn two(dir: &Dir) -> [Arc<dyn Store>; 2] {
    [(); 2].map(|()| Arc::new(SqliteStore::open(dir.file("gate.db")).unwrap()) as Arc<dyn Store>)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_claim_wins_through_two_stores() {
    let dir = Dir::new();
    races::one_of_many_claims_wins(&two(&dir)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn approval_is_spent_once_through_two_stores() {
    let dir = Dir::new();
    races::approval_is_spent_once_under_racing(&two(&dir)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_stores_write_one_chain() {
    let dir = Dir::new();
    races::every_write_of_many_is_kept(&two(&dir)).await;
}

#[test]
fn many_open_a_new_file_at_once() {
    let dir = Dir::new();
    let digests: Vec<String> = std::thread::scope(|scope| {
        let open = || SqliteStore::open(dir.file("gate.db")).unwrap().key().digest("x", &[]);
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(digests.iter().all(|digest| *digest == digests[0]));
    // Those that end at the same moment may leave the files of the WAL, with nothing in them.
    assert_eq!(std::fs::metadata(dir.file("gate.db-wal")).map_or(0, |left| left.len()), 0);
    let names = ["gate.db", "gate.db.key", "gate.db.head", "gate.db-wal", "gate.db-shm"];
    let left: Vec<_> = std::fs::read_dir(dir.file("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| names.iter().any(|kept| name == kept)), "{left:?}");
}
