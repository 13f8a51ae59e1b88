//! What the store refuses to touch, and how it says so.

#![expect(clippy::unwrap_used, reason = "tests may panic")]

mod common;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use common::Dir;
use rusqlite::Connection;
use toolgate_core::store::{Store, StoreFault, Write, write_one};
use toolgate_sqlite::{SqliteOptions, SqliteStore};
use toolgate_testing::records::finish;

fn write(call_id: &str) -> Write {
    Write::Record(Box::new(finish(call_id)))
}

async fn fault_of_write(store: &SqliteStore) -> Option<StoreFault> {
    write_one(store, write("c")).await.err().map(|error| error.fault())
}

fn refusal(path: &Path) -> (StoreFault, String) {
    let error = SqliteStore::open(path).unwrap_err();
    (error.fault(), error.to_string())
}

fn closed_store(dir: &Dir) {
    drop(SqliteStore::open(dir.file("gate.db")).unwrap());
}

#[test]
fn foreign_database_is_refused_and_left_alone() {
    let dir = Dir::new();
    Connection::open(dir.file("gate.db")).unwrap().execute_batch("CREATE TABLE theirs (x)").unwrap();
    let before = fs::read(dir.file("gate.db")).unwrap();
    let (fault, text) = refusal(&dir.file("gate.db"));
    assert_eq!(fault, StoreFault::Corrupt);
    assert!(text.contains("another program"), "{text}");
    assert_eq!(fs::read(dir.file("gate.db")).unwrap(), before);
    assert_eq!(fs::read_dir(dir.file("")).unwrap().count(), 1, "nothing was made beside it");
}

#[test]
fn file_that_is_no_database_is_refused_and_left_alone() {
    let dir = Dir::new();
    let text = "# notes\n".repeat(1000);
    fs::write(dir.file("gate.db"), &text).unwrap();
    assert_eq!(refusal(&dir.file("gate.db")).0, StoreFault::Corrupt);
    assert_eq!(fs::read_to_string(dir.file("gate.db")).unwrap(), text);
}

#[test]
fn newer_version_is_refused() {
    let dir = Dir::new();
    closed_store(&dir);
    Connection::open(dir.file("gate.db")).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let (fault, text) = refusal(&dir.file("gate.db"));
    assert_eq!(fault, StoreFault::Corrupt);
    assert!(text.contains("version 99"), "{text}");
    assert_eq!(SqliteStore::open_read_only(dir.file("gate.db")).unwrap_err().fault(), StoreFault::Corrupt);
}

#[test]
fn database_without_its_key_is_refused() {
    let dir = Dir::new();
    closed_store(&dir);
    fs::remove_file(dir.file("gate.db.key")).unwrap();
    let (fault, text) = refusal(&dir.file("gate.db"));
    assert_eq!(fault, StoreFault::Gone);
    assert!(text.contains("key file") && text.contains("missing"), "{text}");
    assert!(!dir.file("gate.db.key").exists(), "no new key is made for it");
}

#[test]
fn key_of_another_database_is_refused() {
    let (dir, other) = (Dir::new(), Dir::new());
    closed_store(&dir);
    closed_store(&other);
    fs::copy(other.file("gate.db.key"), dir.file("gate.db.key")).unwrap();
    let (fault, text) = refusal(&dir.file("gate.db"));
    assert_eq!(fault, StoreFault::Corrupt);
    assert!(text.contains("another database"), "{text}");
}

#[test]
fn key_file_is_for_its_user_only() {
    let dir = Dir::new();
    closed_store(&dir);
    let key = dir.file("gate.db.key");
    for file in [&key, &dir.file("gate.db")] {
        assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    for mode in [0o640, 0o604, 0o620] {
        fs::set_permissions(&key, Permissions::from_mode(mode)).unwrap();
        let (fault, text) = refusal(&dir.file("gate.db"));
        assert_eq!(fault, StoreFault::Io);
        assert!(text.contains("mode"), "{text}");
    }
}

#[test]
fn malformed_key_file_is_refused_without_showing_it() {
    let dir = Dir::new();
    closed_store(&dir);
    for content in ["", "abc", &"+1".repeat(32), &"é".repeat(32), &"a".repeat(66)] {
        fs::write(dir.file("gate.db.key"), content).unwrap();
        let (fault, text) = refusal(&dir.file("gate.db"));
        assert_eq!(fault, StoreFault::Corrupt);
        assert!(content.is_empty() || !text.contains(content), "{text}");
    }
}

#[test]
fn missing_directory_is_gone() {
    let dir = Dir::new();
    assert_eq!(refusal(&dir.file("no/such/gate.db")).0, StoreFault::Gone);
    assert_eq!(SqliteStore::open_read_only(dir.file("gate.db")).unwrap_err().fault(), StoreFault::Gone);
}

#[tokio::test]
async fn deleted_file_is_gone_and_nothing_is_answered_from_it() {
    let dir = Dir::new();
    let store = SqliteStore::open(dir.file("gate.db")).unwrap();
    assert_eq!(fault_of_write(&store).await, None);
    fs::remove_file(dir.file("gate.db")).unwrap();
    assert_eq!(fault_of_write(&store).await, Some(StoreFault::Gone));
    assert_eq!(store.call("c").await.unwrap_err().fault(), StoreFault::Gone);
}

#[tokio::test]
async fn replaced_file_is_gone() {
    let dir = Dir::new();
    let store = SqliteStore::open(dir.file("gate.db")).unwrap();
    assert_eq!(fault_of_write(&store).await, None);
    fs::copy(dir.file("gate.db"), dir.file("copy.db")).unwrap();
    fs::rename(dir.file("copy.db"), dir.file("gate.db")).unwrap();
    assert_eq!(fault_of_write(&store).await, Some(StoreFault::Gone));
}

#[tokio::test]
async fn held_database_is_busy_until_it_is_let_go() {
    let dir = Dir::new();
    let mut options = SqliteOptions::default();
    options.busy_timeout = Duration::from_millis(50);
    let store = SqliteStore::open_with(dir.file("gate.db"), &options).unwrap();
    let other = Connection::open(dir.file("gate.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(fault_of_write(&store).await, Some(StoreFault::Busy));
    assert!(store.call("c").await.unwrap().is_none(), "readers don't wait for writers");
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(fault_of_write(&store).await, None);
}

#[tokio::test]
async fn store_opened_for_reading_reads_only() {
    let dir = Dir::new();
    let store = SqliteStore::open(dir.file("gate.db")).unwrap();
    assert_eq!(fault_of_write(&store).await, None);
    let audit = SqliteStore::open_read_only(dir.file("gate.db")).unwrap();
    assert_eq!(fault_of_write(&audit).await, Some(StoreFault::ReadOnly));
    write_one(&store, write("c2")).await.unwrap();
    assert!(audit.call("c2").await.unwrap().is_some(), "it sees what is committed later");
    assert_eq!(audit.report().await.unwrap().faults, Vec::<String>::new());
}

/// Runs the rest of a test as a user who isn't above permissions.
fn as_plain_user(test: &str, dir: &Dir) -> bool {
    const NOBODY: u32 = 65_534;
    for entry in fs::read_dir(dir.file("")).unwrap() {
        let _ = std::os::unix::fs::chown(entry.unwrap().path(), Some(NOBODY), None);
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([test, "--exact", "--nocapture"]).env("TOOLGATE_SQLITE_READ_ONLY", dir.file(""));
    if fs::write(dir.file("probe"), "").is_ok() {
        fs::remove_file(dir.file("probe")).unwrap();
        command.uid(NOBODY);
    }
    match command.status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("skipped: the test can't be run as another user: {error}");
            true
        }
    }
}

async fn check_read_only(dir: &Path) {
    assert_eq!(refusal(&dir.join("gate.db")).0, StoreFault::ReadOnly);
    assert_eq!(refusal(&dir.join("new.db")).0, StoreFault::ReadOnly);
    let audit = SqliteStore::open_read_only(dir.join("gate.db")).unwrap();
    assert!(audit.call("c").await.unwrap().is_some());
    assert_eq!(audit.report().await.unwrap().faults, Vec::<String>::new());
}

#[tokio::test]
async fn read_only_directory_is_refused_for_writing_and_read_for_audits() {
    if let Some(dir) = std::env::var_os("TOOLGATE_SQLITE_READ_ONLY") {
        return check_read_only(Path::new(&dir)).await;
    }
    let dir = Dir::new();
    let store = SqliteStore::open(dir.file("gate.db")).unwrap();
    assert_eq!(fault_of_write(&store).await, None);
    drop(store);
    fs::set_permissions(dir.file(""), Permissions::from_mode(0o555)).unwrap();
    let done = as_plain_user("read_only_directory_is_refused_for_writing_and_read_for_audits", &dir);
    fs::set_permissions(dir.file(""), Permissions::from_mode(0o755)).unwrap();
    assert!(done);
}
