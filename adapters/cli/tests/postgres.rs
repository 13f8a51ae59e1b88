//! The command on a database that is named by a URL.

#![cfg(feature = "postgres")]
#![expect(clippy::unwrap_used, reason = "tests may panic")]

use std::process::Command;

use toolgate_core::keys::GateKey;
use toolgate_core::store::{Store as _, Write, write_one};
use toolgate_postgres::{KeySource, PostgresOptions, PostgresStore};
use toolgate_testing::PgServer;
use toolgate_testing::records;

fn run(url: &str, key: &str, command: &[&str]) -> (Option<i32>, String) {
    let mut toolgate = Command::new(env!("CARGO_BIN_EXE_toolgate"));
    toolgate.args(command).env("TOOLGATE_DB", url).env("TOOLGATE_KEY", key).env_remove("TOOLGATE_KEY_FILE");
    let output = toolgate.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_are_listed_and_tickets_answered_and_the_url_is_never_shown() {
    let Some(server) = PgServer::start() else { return };
    let url = server.url("postgres").replace("postgres@", "postgres:CANARY@");
    let key = "07".repeat(32);
    let empty = run(&url, &key, &["doctor"]);
    assert_eq!(empty.0, Some(2), "{}", empty.1);
    let options = PostgresOptions::new(KeySource::Given(GateKey::from_bytes([7; 32])));
    let store = PostgresStore::open(&url, options).await.unwrap();
    let ticket = toolgate_core::store::Record { ticket: Some(records::ticket("t1", "c1")), ..records::finish("c1") };
    write_one(&store, Write::Record(Box::new(ticket))).await.unwrap();
    let healthy = run(&url, &key, &["doctor"]);
    assert_eq!(healthy.0, Some(0), "{}", healthy.1);
    let listed = run(&url, &key, &["audit", "list"]);
    assert!(listed.1.contains("c1"), "{}", listed.1);
    let approved = run(&url, &key, &["approvals", "approve", "t1", "--by", "bob"]);
    assert_eq!(approved.0, Some(0), "{}", approved.1);
    assert_eq!(store.ticket("t1").await.unwrap().unwrap().decided_by.as_deref(), Some("bob"));
    let wrong = run(&url, &"08".repeat(32), &["doctor"]);
    assert_ne!(wrong.0, Some(0));
    for (_, text) in [empty, healthy, listed, approved, wrong] {
        assert!(!text.contains("CANARY"), "{text}");
    }
}
