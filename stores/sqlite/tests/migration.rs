//! A file of the first version is brought to this one, and what was in it holds.

mod common;

use rusqlite::Connection;
use toolgate_core::owner;
use toolgate_core::store::{Begin, Record, Store as _, Sweep, TicketState, Write, Written, write_one};
use toolgate_sqlite::{SCHEMA_VERSION, SqliteStore};
use toolgate_testing::records::{self, finish};

use common::Dir;

/// Takes back what the third version brought.
fn as_version_2(dir: &Dir) -> Connection {
    let conn = Connection::open(dir.file("gate.db")).unwrap();
    conn.execute_batch("DROP INDEX keys_open; DROP TABLE leases;").unwrap();
    conn.pragma_update(None, "user_version", 2).unwrap();
    conn
}

/// An owner as the second version named them, without a lease.
#[tokio::test]
async fn calls_that_run_in_a_file_of_the_second_version_are_judged_by_their_process() {
    let dir = Dir::new();
    let store = SqliteStore::open(dir.file("gate.db")).unwrap();
    let of = |owner: &str, call_id: &str| Begin {
        owner: owner.to_owned(),
        claims: vec![records::claim(call_id, "f")],
        ..records::begin(call_id)
    };
    let begin = async |begin| write_one(&store, Write::Begin(Box::new(begin))).await.unwrap();
    begin(of("another-boot:1:1:1:4", "lost")).await;
    begin(of(&format!("{}:4", owner::this_process()), "also lost")).await;
    begin(of(owner::this_process(), "runs")).await;
    drop(store);
    drop(as_version_2(&dir));

    let store = SqliteStore::open(dir.file("gate.db")).unwrap();
    let sweep = Write::Sweep(Sweep { is_alive: owner::is_alive, now_ms: records::NOON });
    let Written::Swept(swept) = write_one(&store, sweep).await.unwrap() else { panic!("no answer to a sweep") };
    let swept: Vec<&str> = swept.iter().map(|call| call.call_id.as_str()).collect();
    assert!(swept.contains(&"lost") && swept.contains(&"also lost") && !swept.contains(&"runs"), "{swept:?}");
    assert_eq!(store.report().await.unwrap().faults, Vec::<String>::new());
}

#[tokio::test]
async fn tickets_of_the_first_version_need_one_person_and_keep_their_mark() {
    let dir = Dir::new();
    let store = SqliteStore::open(dir.file("gate.db")).unwrap();
    let ticket = records::ticket("t1", "asks");
    let asked = Record { ticket: Some(ticket.clone()), ..finish("asks") };
    write_one(&store, Write::Record(Box::new(asked))).await.unwrap();
    drop(store);

    let conn = as_version_2(&dir);
    conn.execute_batch("ALTER TABLE tickets DROP COLUMN needed; ALTER TABLE tickets DROP COLUMN approvals;").unwrap();
    conn.pragma_update(None, "user_version", 1).unwrap();
    drop(conn);

    let store = SqliteStore::open(dir.file("gate.db")).unwrap();
    let found = store.ticket("t1").await.unwrap().unwrap();
    assert_eq!((found.state, found.needed, &found), (TicketState::Pending, 1, &ticket));
    assert_eq!(store.report().await.unwrap().faults, Vec::<String>::new());
    drop(store);
    let conn = Connection::open(dir.file("gate.db")).unwrap();
    let version: i32 = conn.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    assert_eq!(version, SCHEMA_VERSION);
}
