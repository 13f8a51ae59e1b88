//! What is not opened, and what a role may not do.

#![expect(clippy::unwrap_used, reason = "tests may panic")]

mod common;
#[path = "common/told.rs"]
mod told;

use std::time::Duration;

use common::{fresh_schema, key, open, options, server};
use told::{fact, faults};
use toolgate_core::keys::GateKey;
use toolgate_core::store::{Record, Store, StoreError, StoreFault, Write, write_one};
use toolgate_postgres::{KeySource, Migration, PostgresOptions, PostgresStore};
use toolgate_testing::PgServer;
use toolgate_testing::records::{self, finish, ticket};

fn refused(server: &PgServer, schema: &str) -> StoreError {
    PostgresStore::open_blocking(&server.url("postgres"), options(schema)).map(drop).unwrap_err()
}

#[test]
fn four_that_open_a_new_database_at_once_make_it_once() {
    let Some(server) = server() else { return };
    let schema = fresh_schema();
    std::thread::scope(|scope| {
        let stores: Vec<_> = (0..4).map(|_| scope.spawn(|| open(server, &schema))).collect();
        stores.into_iter().for_each(|store| drop(store.join().unwrap()));
    });
    let versions = server.psql("postgres", &format!("SELECT value FROM {schema}.meta WHERE name = 'version'"));
    assert_eq!(versions.unwrap(), toolgate_postgres::SCHEMA_VERSION.to_string());
}

#[test]
fn schema_of_another_program_or_of_a_newer_version_is_left_alone() {
    let Some(server) = server() else { return };
    server.psql("postgres", "CREATE SCHEMA theirs; CREATE TABLE theirs.things (n INTEGER)").unwrap();
    let error = refused(server, "theirs");
    assert_eq!(error.fault(), StoreFault::Corrupt, "{error}");
    server.psql("postgres", "CREATE SCHEMA alike; CREATE TABLE alike.meta (name TEXT, value TEXT)").unwrap();
    assert_eq!(refused(server, "alike").fault(), StoreFault::Corrupt);
    assert_eq!(
        server.psql("postgres", "SELECT count(*) FROM pg_tables WHERE schemaname IN ('theirs', 'alike')").unwrap(),
        "2"
    );
    let schema = fresh_schema();
    drop(open(server, &schema));
    server.psql("postgres", &format!("UPDATE {schema}.meta SET value = '99' WHERE name = 'version'")).unwrap();
    let error = refused(server, &schema);
    assert_eq!(error.fault(), StoreFault::Corrupt);
    assert!(error.to_string().contains("version 99"), "{error}");
}

#[test]
fn another_key_and_a_missing_key_file_are_refused() {
    let Some(server) = server() else { return };
    let schema = fresh_schema();
    let file = server.folder().with_extension("key");
    let with = |key: KeySource| {
        let options = PostgresOptions::new(key).schema(&schema);
        PostgresStore::open_blocking(&server.url("postgres"), options).map(drop).map_err(|error| error.fault())
    };
    assert_eq!(with(KeySource::File(file.clone())), Ok(()), "a new database makes its key");
    assert_eq!(with(KeySource::File(file.clone())), Ok(()));
    assert_eq!(with(KeySource::Given(GateKey::from_bytes([8; 32]))), Err(StoreFault::Corrupt));
    assert_eq!(with(KeySource::Environment("TOOLGATE_NO_SUCH_KEY".to_owned())), Err(StoreFault::Gone));
    std::fs::remove_file(&file).unwrap();
    assert_eq!(with(KeySource::File(file.clone())), Err(StoreFault::Gone));
    assert!(!file.exists(), "no second key is made");
}

#[test]
fn connection_over_a_network_is_never_plain_in_silence() {
    let open = |url: &str| {
        let options = PostgresOptions::new(key()).wait(Duration::from_millis(300));
        PostgresStore::open_blocking(url, options).map(drop).unwrap_err().to_string()
    };
    for url in
        ["postgres://gate@db.example/a", "postgres://gate@192.0.2.1/a", "postgres://gate@127.0.0.1/a?sslmode=require"]
    {
        let error = open(url);
        assert!(error.contains("TLS"), "{url}: {error}");
    }
    let error = open("postgres://gate:CANARY@%zz");
    assert!(!error.contains("CANARY"), "{error}");
    assert!(open("postgres://gate@127.0.0.1:1/a").contains("gone"));
}

/// The owner makes the tables, the gate writes, the auditor reads.
fn roles(server: &PgServer) -> String {
    let database = "roles";
    server.create_database(database).unwrap();
    let sql = "CREATE ROLE gate_role LOGIN; CREATE ROLE reader_role LOGIN; CREATE ROLE nobody_role LOGIN";
    server.psql(database, sql).unwrap();
    database.to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn gate_can_add_to_the_audit_and_never_rewrite_it() {
    let Some(server) = server() else { return };
    let database = roles(server);
    let url_of = |role: &str| server.url_of(role, &database);
    let early = PostgresStore::open(&url_of("gate_role"), options("gates")).await.map(drop).unwrap_err();
    assert_eq!(early.fault(), StoreFault::ReadOnly, "the gate can't make tables: {early}");
    let migration =
        || Migration::new(server.url(&database), options("gates")).gate_role("gate_role").reader_role("reader_role");
    migration().run().await.unwrap();
    migration().run().await.unwrap();
    let store = PostgresStore::open(&url_of("gate_role"), options("gates")).await.unwrap();
    write_one(&store, Write::Begin(Box::new(records::begin("c1")))).await.unwrap();
    write_one(&store, Write::Record(Box::new(Record { ticket: Some(ticket("t", "c1")), ..finish("c1") })))
        .await
        .unwrap();
    for sql in [
        "UPDATE gates.events SET body = '{}'",
        "DELETE FROM gates.events",
        "TRUNCATE gates.events",
        "DELETE FROM gates.calls",
        "DELETE FROM gates.keys",
        "TRUNCATE gates.chains",
        "DROP TABLE gates.events",
        "UPDATE gates.meta SET value = 'x'",
        "ALTER TABLE gates.events ADD COLUMN x TEXT",
        "CREATE TABLE gates.x (n INTEGER)",
    ] {
        let error = server.psql_as("gate_role", &database, sql).unwrap_err().to_string();
        assert!(error.contains("permission denied") || error.contains("must be owner"), "{sql}: {error}");
    }
    let report = store.report().await.unwrap();
    assert_eq!(report.faults, Vec::<String>::new());
    assert!(fact(&report, "events_append_only").contains("can only add events"));
    let denied = PostgresStore::open(&url_of("nobody_role"), options("gates")).await.map(drop).unwrap_err();
    assert_eq!(denied.fault(), StoreFault::ReadOnly, "{denied}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn auditor_reads_everything_and_writes_nothing() {
    let Some(server) = server() else { return };
    server.create_database("audit").unwrap();
    server.psql("audit", "CREATE ROLE auditor LOGIN").unwrap();
    Migration::new(server.url("audit"), options("gates")).reader_role("auditor").run().await.unwrap();
    let store = PostgresStore::open(&server.url("audit"), options("gates")).await.unwrap();
    write_one(&store, Write::Begin(Box::new(records::begin("c1")))).await.unwrap();
    let audit = PostgresStore::open_read_only(&server.url_of("auditor", "audit"), options("gates")).unwrap();
    assert_eq!(audit.call("c1").await.unwrap().unwrap().events.len(), 1);
    assert_eq!(faults(&audit).await, Vec::<String>::new());
    let error = write_one(&audit, Write::Begin(Box::new(records::begin("c2")))).await.unwrap_err();
    assert_eq!(error.fault(), StoreFault::ReadOnly);
    assert!(server.psql_as("auditor", "audit", "INSERT INTO gates.batches (id) VALUES ('x')").is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i07c_report_says_what_a_failover_can_lose() {
    let Some(server) = server() else { return };
    let store = open(server, &fresh_schema());
    let report = store.report().await.unwrap();
    assert_eq!(fact(&report, "synchronous_standby_names"), "");
    assert!(fact(&report, "failover").contains("can lose the last commits"));
    let Some(unsafe_server) = PgServer::start_with(&["fsync=off"]) else { return };
    let store = open(&unsafe_server, "risky");
    let told = faults(&*store).await;
    assert!(told.iter().any(|fault| fault.contains("fsync = off")), "{told:?}");
}
