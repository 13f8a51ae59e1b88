//! The one connection that writes: a batch is committed once, and each write stands in a savepoint of its
//! own. Who brings the writes is `desk`'s.

use std::time::Duration;

use rusqlite::Connection;
use toolgate_core::keys::GateKey;
use toolgate_core::store::apply::{apply, is_kept};
use toolgate_core::store::chain::Head;
use toolgate_core::store::{StoreError, StoreFault, Write, Written};

use crate::fault;
use crate::frame::{self, Frame};
use crate::head_file::HeadFile;
use crate::place::Place;

/// How long the end of a store waits for others that are at their end, too.
const LAST_WAIT: Duration = Duration::from_millis(100);

/// The answer to one write.
pub(crate) type Answer = Result<Written, StoreError>;

/// The connection that writes.
#[derive(Debug)]
pub(crate) struct Writer {
    conn: Connection,
    key: GateKey,
    place: Place,
    head_file: HeadFile,
    /// What `synchronous` is set to, where it was set.
    full: Option<bool>,
}

/// Whether a commit must wait for the medium. A person's decision isn't asked for twice.
fn is_durable(write: &Write) -> bool {
    match write {
        Write::Begin(_) | Write::Decide(_) | Write::Resume(_) | Write::Resolve(_) => true,
        Write::Record(record) => record.durable,
        Write::Note(_) | Write::Sweep(_) | Write::Renew(_) | Write::Prune(_) => false,
    }
}

impl Writer {
    pub(crate) fn new(conn: Connection, key: GateKey, place: Place) -> Self {
        let head_file = HeadFile::of(place.path());
        Self { conn, key, place, head_file, full: None }
    }

    /// One transaction for all writes. An error is everybody's.
    pub(crate) fn write(&mut self, writes: Vec<Write>) -> Vec<Answer> {
        let size = writes.len();
        let answers = self.begin(&writes).and_then(|()| self.commit(writes));
        answers.unwrap_or_else(|error| vec![Err(error); size])
    }

    /// As [`Self::write`], without waiting for another process: the error is the writes, untouched.
    pub(crate) fn write_at_once(&mut self, writes: Vec<Write>, wait: Duration) -> Result<Vec<Answer>, Vec<Write>> {
        let size = writes.len();
        let begun = self.busy_timeout(Duration::ZERO).and_then(|()| self.begin(&writes));
        let answers = match self.busy_timeout(wait).and(begun) {
            Err(error) if error.fault() == StoreFault::Busy => return Err(writes),
            begun => begun.and_then(|()| self.commit(writes)),
        };
        Ok(answers.unwrap_or_else(|error| vec![Err(error); size]))
    }

    /// Brings what the `-wal` holds into the file, and closes it.
    pub(crate) fn close(mut self) {
        // Where others use the file just now, the last of them does it.
        let _ = self.busy_timeout(LAST_WAIT);
        let done = self.conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
        if done.is_ok_and(|busy| busy == 0)
            && let Ok(head) = frame::head(&self.conn)
        {
            // What is missing there only makes it forget.
            let _ = self.head_file.put(&head);
        }
    }

    fn busy_timeout(&self, wait: Duration) -> Result<(), StoreError> {
        self.conn.busy_timeout(wait).map_err(fault::of_sqlite)
    }

    fn begin(&mut self, writes: &[Write]) -> Result<(), StoreError> {
        self.place.check()?;
        self.synchronous(writes.iter().any(is_durable))?;
        self.execute("BEGIN IMMEDIATE")
    }

    fn commit(&mut self, writes: Vec<Write>) -> Result<Vec<Answer>, StoreError> {
        let answers = self.write_all(writes).and_then(|(answers, head)| {
            self.place.check()?;
            self.execute("COMMIT")?;
            if self.full == Some(true) {
                self.head_file.note(&head);
            }
            Ok(answers)
        });
        if answers.is_err() && !self.conn.is_autocommit() {
            self.execute("ROLLBACK")?;
        }
        answers
    }

    fn write_all(&self, writes: Vec<Write>) -> Result<(Vec<Answer>, Head), StoreError> {
        let mut head = frame::head(&self.conn)?;
        let answers: Result<_, _> = writes.into_iter().map(|write| self.write_one(&mut head, write)).collect();
        Ok((answers?, head))
    }

    /// The outer error is the whole transaction's, the inner one is this write's.
    fn write_one(&self, head: &mut Head, write: Write) -> Result<Answer, StoreError> {
        self.execute("SAVEPOINT one")?;
        let before = head.clone();
        let answer = apply(&mut Frame { conn: &self.conn, key: &self.key, head, written: None }, write);
        if self.conn.is_autocommit() {
            // SQLite gave up the whole transaction, as it may when the disk is full.
            return Err(answer.err().unwrap_or_else(|| fault::error(StoreFault::Io, "the transaction was given up")));
        }
        if !answer.as_ref().is_ok_and(is_kept) {
            *head = before;
            self.execute("ROLLBACK TO one")?;
        }
        self.execute("RELEASE one")?;
        Ok(answer)
    }

    /// Not cached: SQLite may obey a pragma while it compiles it.
    fn synchronous(&mut self, full: bool) -> Result<(), StoreError> {
        if self.full != Some(full) {
            self.full = None;
            let mode = if full { "FULL" } else { "NORMAL" };
            self.conn.pragma_update(None, "synchronous", mode).map_err(fault::of_sqlite)?;
            self.full = Some(full);
        }
        Ok(())
    }

    fn execute(&self, sql: &str) -> Result<(), StoreError> {
        self.conn.prepare_cached(sql).and_then(|mut statement| statement.execute([])).map_err(fault::of_sqlite)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use toolgate_core::store::Record;
    use toolgate_testing::records::{self, finish, result};

    use super::*;
    use crate::open;

    fn directory(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("toolgate-writer-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    fn writer(directory: &Path) -> Writer {
        let (conn, key, place) = open::writable(&directory.join("gate.db"), Duration::from_secs(5)).unwrap();
        Writer::new(conn, key, place)
    }

    fn commit(writer: &mut Writer, batch: Vec<Write>) -> Vec<Option<StoreFault>> {
        writer.write(batch).into_iter().map(|answer| answer.err().map(|error| error.fault())).collect()
    }

    fn write(call_id: &str, durable: bool, size: usize) -> Write {
        let mut kept = result(call_id);
        kept.sealed = vec![1; size];
        Write::Record(Box::new(Record { durable, result: Some(kept), ..finish(call_id) }))
    }

    fn events(writer: &Writer) -> u64 {
        frame::head(&writer.conn).unwrap().seq
    }

    #[test]
    fn each_batch_waits_for_the_medium_as_its_writes_ask() {
        let directory = directory("synchronous");
        let mut writer = writer(&directory);
        let begin = || Write::Begin(Box::new(records::begin("b")));
        let batches = [
            (vec![write("a", false, 1)], 1),
            (vec![write("a", true, 1)], 2),
            (vec![write("a", false, 1)], 1),
            (vec![write("a", false, 1), begin()], 2),
            (vec![write("a", false, 1)], 1),
        ];
        for (writes, expected) in batches {
            let answers = commit(&mut writer, writes);
            assert!(answers.iter().all(Option::is_none));
            let mode: i32 = writer.conn.pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap();
            assert_eq!(mode, expected);
        }
        std::fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn full_medium_takes_nothing_of_the_batch_and_serves_again() {
        let directory = directory("full");
        let mut writer = writer(&directory);
        assert_eq!(commit(&mut writer, vec![write("a", true, 1)]), [None]);
        let pages: i64 = writer.conn.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
        writer.conn.pragma_update(None, "max_page_count", pages + 2).unwrap();
        let batch = vec![write("b", true, 1), write("c", true, 100_000), write("d", true, 1)];
        let answers = commit(&mut writer, batch);
        assert_eq!(answers.get(1), Some(&Some(StoreFault::Full)), "{answers:?}");
        assert_eq!(
            usize::try_from(events(&writer)).unwrap(),
            1 + answers.iter().filter(|answer| answer.is_none()).count()
        );
        writer.conn.pragma_update(None, "max_page_count", pages + 1000).unwrap();
        assert_eq!(commit(&mut writer, vec![write("c", true, 100_000)]), [None]);
        std::fs::remove_dir_all(directory).unwrap();
    }
}
