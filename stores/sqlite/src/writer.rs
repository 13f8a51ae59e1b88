//! The one thread that writes: it takes what is queued, up to a batch, and commits it once. Each
//! write stands in a savepoint of its own.

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};
use toolgate_core::keys::GateKey;
use toolgate_core::store::apply::{apply, is_kept};
use toolgate_core::store::chain::Head;
use toolgate_core::store::{StoreError, StoreFault, Write, Written};

use crate::fault;
use crate::frame::{self, Frame};
use crate::place::Place;

/// Most writes that share a commit, a job of more aside.
const BATCH: usize = 256;

/// The answer to one write.
pub(crate) type Answer = Result<Written, StoreError>;

/// Writes of one caller, and where the answers go.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) writes: Vec<Write>,
    pub(crate) answer: oneshot::Sender<Vec<Answer>>,
}

/// What the thread has.
#[derive(Debug)]
pub(crate) struct Writer {
    conn: Connection,
    key: GateKey,
    place: Place,
    /// What `synchronous` is set to, where it was set.
    full: Option<bool>,
}

/// Whether a commit must wait for the medium. A person's decision isn't asked for twice.
fn is_durable(write: &Write) -> bool {
    match write {
        Write::Begin(_) | Write::Decide(_) | Write::Resume(_) => true,
        Write::Record(record) => record.durable,
        Write::Sweep(_) => false,
    }
}

impl Writer {
    pub(crate) fn new(conn: Connection, key: GateKey, place: Place) -> Self {
        Self { conn, key, place, full: None }
    }

    /// Works until the store is dropped and the queue is empty.
    pub(crate) fn run(mut self, mut queue: mpsc::Receiver<Job>) {
        while let Some(job) = queue.blocking_recv() {
            let mut size = job.writes.len();
            let mut batch = vec![job];
            while size < BATCH
                && let Ok(job) = queue.try_recv()
            {
                size += job.writes.len();
                batch.push(job);
            }
            self.answer(batch);
        }
    }

    fn answer(&mut self, batch: Vec<Job>) {
        let full = batch.iter().flat_map(|job| &job.writes).any(is_durable);
        let mut callers = Vec::with_capacity(batch.len());
        let mut writes = Vec::with_capacity(batch.len());
        for job in batch {
            callers.push((job.writes.len(), job.answer));
            writes.extend(job.writes);
        }
        let mut answers = self.commit(full, writes).map(Vec::into_iter);
        for (size, caller) in callers {
            let answers = match &mut answers {
                Ok(answers) => answers.by_ref().take(size).collect(),
                Err(error) => vec![Err(error.clone()); size],
            };
            // The commit stands whether or not the caller still waits.
            let _ = caller.send(answers);
        }
    }

    /// One transaction for all writes.
    fn commit(&mut self, full: bool, writes: Vec<Write>) -> Result<Vec<Answer>, StoreError> {
        self.place.check()?;
        self.synchronous(full)?;
        self.execute("BEGIN IMMEDIATE")?;
        let answers = self.write_all(writes).and_then(|answers| {
            self.place.check()?;
            self.execute("COMMIT")?;
            Ok(answers)
        });
        if answers.is_err() && !self.conn.is_autocommit() {
            self.execute("ROLLBACK")?;
        }
        answers
    }

    fn write_all(&self, writes: Vec<Write>) -> Result<Vec<Answer>, StoreError> {
        let mut head = frame::head(&self.conn)?;
        writes.into_iter().map(|write| self.write_one(&mut head, write)).collect()
    }

    /// The outer error is the whole transaction's, the inner one is this write's.
    fn write_one(&self, head: &mut Head, write: Write) -> Result<Answer, StoreError> {
        self.execute("SAVEPOINT one")?;
        let before = head.clone();
        let answer = apply(&mut Frame { conn: &self.conn, key: &self.key, head }, write);
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
    use std::time::Duration;

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
        let (answer, answered) = oneshot::channel();
        writer.answer(vec![Job { writes: batch, answer }]);
        let answers = answered.blocking_recv().unwrap();
        answers.into_iter().map(|answer| answer.err().map(|error| error.fault())).collect()
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
