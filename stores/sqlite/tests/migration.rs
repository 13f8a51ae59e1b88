//! A file of the first version is brought to this one, and what was in it holds.

mod common;

use rusqlite::Connection;
use toolgate_core::store::{Record, Store as _, TicketState, Write, write_one};
use toolgate_sqlite::{SCHEMA_VERSION, SqliteStore};
use toolgate_testing::records::{self, finish};

use common::Dir;

#[tokio::test]
async fn tickets_of_the_first_version_need_one_person_and_keep_their_mark() {
    let dir = Dir::new();
    let store = SqliteStore::open(dir.file("gate.db")).unwrap();
    let ticket = records::ticket("t1", "asks");
    let asked = Record { ticket: Some(ticket.clone()), ..finish("asks") };
    write_one(&store, Write::Record(Box::new(asked))).await.unwrap();
    drop(store);

    let conn = Connection::open(dir.file("gate.db")).unwrap();
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
