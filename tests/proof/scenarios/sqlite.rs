//! SQLite: files, processes that die, and harm past the store.

use std::any::Any;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rusqlite::Connection;
use toolgate_core::store::{Store, StoreError};
use toolgate_sqlite::{SqliteOptions, SqliteStore};
use toolgate_testing::scenarios::{self, Grounds, Harm, Harmed, Place};

use crate::{not_here, run};

struct Sqlite;

/// A folder; `own` where it goes with this value.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    own: bool,
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.own {
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

impl Folder {
    fn file(&self) -> PathBuf {
        self.path.join("gate.db")
    }

    fn change(&self, sql: &str) -> Harmed {
        Connection::open(self.file()).unwrap().execute_batch(sql).unwrap();
        Harmed::for_good()
    }
}

/// Writes are held up as long as it lives.
fn hold(file: &Path) -> Box<dyn Any + Send> {
    let other = Connection::open(file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    Box::new(other)
}

fn copy(from: &Path, to: &Path) -> Harmed {
    fs::copy(from, to).unwrap();
    Harmed::for_good()
}

impl Place for Folder {
    fn open(&self) -> Result<Arc<dyn Store>, StoreError> {
        let mut options = SqliteOptions::default();
        options.busy_timeout = Duration::from_secs(2);
        Ok(Arc::new(SqliteStore::open_with(self.file(), &options)?))
    }

    fn name(&self) -> Option<OsString> {
        Some(self.path.clone().into_os_string())
    }

    fn harm(&self, harm: Harm) -> Harmed {
        match harm {
            Harm::Hold => Harmed::Done(hold(&self.file())),
            Harm::ReadOnly => Harmed::Not("a test that may do anything can't be kept from writing: see `refusals.rs`"),
            Harm::BackUp => copy(&self.file(), &self.path.join("backup.db")),
            Harm::PutBack => copy(&self.path.join("backup.db"), &self.file()),
            Harm::Corrupt => {
                let size = fs::metadata(self.file()).unwrap().len();
                fs::write(self.file(), vec![b'x'; usize::try_from(size).unwrap()]).unwrap();
                Harmed::for_good()
            }
            Harm::EditEvent => self.change("UPDATE events SET body = replace(body, 'rent', 'RENT') WHERE seq = 1"),
            Harm::DeleteEvent => self.change("DELETE FROM events WHERE seq = 3"),
        }
    }
}

impl Grounds for Sqlite {
    fn fresh(&self) -> Arc<dyn Place> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("toolgate-scenarios-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Arc::new(Folder { path, own: true })
    }

    fn at(&self, name: &OsStr) -> Option<Arc<dyn Place>> {
        Some(Arc::new(Folder { path: name.into(), own: false }))
    }
}

/// Does nothing but die, where a scenario tells it to.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_process_that_dies() {
    scenarios::child(&Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn scenarios_hold_on_sqlite() {
    let report = run(&Sqlite, Some("sqlite::the_process_that_dies")).await;
    assert_eq!(not_here(&report), ["I055", "I056", "I072", "I079", "I07C", "I07E"]);
}
