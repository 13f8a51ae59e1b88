//! The store itself: hands writes to its writer's desk and reads to its readers.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};
use toolgate_core::keys::GateKey;
use toolgate_core::store::{
    CallFilter, CallRecord, CallStory, KeyFilter, KeyRecord, OldFilter, OutcomeRecord, Past, Recalled, Stop, Store,
    StoreError, StoreFault, StoreReport, StoredResult, TicketFilter, TicketRecord, Write, Written,
};
use toolgate_core::tool::BoxFuture;

use crate::desk::{Desk, Job};
use crate::place::{Place, beside};
use crate::readers::Readers;
use crate::writer::{Answer, Writer};
use crate::{fault, head_file, open, read, report};

/// How a store is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SqliteOptions {
    /// How long a write waits for another process before it is [`StoreFault::Busy`]; 5 seconds.
    pub busy_timeout: Duration,
    /// Threads that read, at least one; 2.
    pub readers: usize,
    /// Callers whose writes may wait in the queue before others wait to get into it, at least one; 1024.
    pub queue: usize,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self { busy_timeout: Duration::from_secs(5), readers: 2, queue: 1024 }
    }
}

/// A [`Store`] in one SQLite file, with its key in the file `<path>.key` beside it.
///
/// Several stores, in one process or in many on one host, may have the same file open. Dropping a
/// store finishes the writes that are queued; the last one that is dropped leaves everything in the
/// file itself, with no `-wal` beside it.
///
/// A write that comes alone, on a runtime with several workers, is committed by the worker that asks for
/// it. Others share commits on a thread of the store's own.
#[derive(Debug)]
pub struct SqliteStore {
    key: GateKey,
    place: Place,
    readers: Readers,
    /// `None` where the store was opened for reading.
    jobs: Option<mpsc::Sender<Job>>,
    desk: Option<Arc<Desk>>,
    writer: Option<JoinHandle<()>>,
}

impl SqliteStore {
    /// Opens the file for reading and writing, and makes it and its key where there is none.
    ///
    /// # Errors
    /// As [`Self::open_with`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::open_with(path, &SqliteOptions::default())
    }

    /// As [`Self::open`], with options.
    ///
    /// # Errors
    /// [`StoreFault::Corrupt`] for a file of another program, of a newer version or with another key,
    /// [`StoreFault::Gone`] where the directory or the key is missing, [`StoreFault::ReadOnly`] where
    /// it may not be written, [`StoreFault::Io`] for a key file that others may read or a file system that hosts
    /// share, [`StoreFault::Restored`] for a database that hadn't come as far as the file `<path>.head` says.
    pub fn open_with(path: impl AsRef<Path>, options: &SqliteOptions) -> Result<Self, StoreError> {
        let (conn, key, place) = open::writable(path.as_ref(), options.busy_timeout)?;
        head_file::check(&conn, place.path())?;
        let readers = Self::readers(&place, options)?;
        let (jobs, queue) = mpsc::channel(options.queue.max(1));
        let desk = Desk::new(Writer::new(conn, key.clone(), place.clone()), options.busy_timeout);
        let desk = Arc::new(desk);
        let shared = Arc::clone(&desk);
        let writer = thread::Builder::new()
            .name("toolgate-write".to_owned())
            .spawn(move || shared.run(queue))
            .map_err(|error| fault::of_file("writer thread", &error))?;
        Ok(Self { key, place, readers, jobs: Some(jobs), desk: Some(desk), writer: Some(writer) })
    }

    /// Opens a file that is there for reading only, for audits. Every write is
    /// [`StoreFault::ReadOnly`].
    ///
    /// # Errors
    /// As [`Self::open_with`].
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let wait = SqliteOptions::default().busy_timeout;
        let (conn, key, place) = open::read_only(path.as_ref(), wait)?;
        let readers = Readers::start(place.clone(), conn, Vec::new())?;
        Ok(Self { key, place, readers, jobs: None, desk: None, writer: None })
    }

    fn readers(place: &Place, options: &SqliteOptions) -> Result<Readers, StoreError> {
        let open = || open::reader(place.path(), options.busy_timeout);
        let connections: Result<Vec<Connection>, StoreError> = (0..options.readers.max(1)).map(|_| open()).collect();
        Readers::start(place.clone(), open()?, connections?)
    }

    async fn queue(&self, writes: Vec<Write>) -> Result<Vec<Answer>, StoreError> {
        let read_only = || fault::error(StoreFault::ReadOnly, "the store was opened for reading");
        let ended = || fault::error(StoreFault::Io, "the thread that writes has ended");
        let (Some(jobs), Some(desk)) = (&self.jobs, &self.desk) else {
            return Err(read_only());
        };
        let writes = match desk.write_here(writes) {
            Ok(answers) => return Ok(answers),
            Err(writes) => writes,
        };
        let (answer, answered) = oneshot::channel();
        jobs.send(Job { writes, answer, turn: Desk::turn(desk) }).await.map_err(|_| ended())?;
        answered.await.map_err(|_| ended())
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(writer) = self.writer.take() {
            // A thread that panicked has nothing left to finish.
            let _ = writer.join();
        }
        // The connection that is closed last brings what the `-wal` holds into the file.
        self.readers.close();
        if let Some(desk) = self.desk.take() {
            desk.close();
        }
    }
}

impl Store for SqliteStore {
    fn write(&self, writes: Vec<Write>) -> BoxFuture<'_, Vec<Result<Written, StoreError>>> {
        let size = writes.len();
        Box::pin(async move { self.queue(writes).await.unwrap_or_else(|error| vec![Err(error); size]) })
    }

    fn recall<'a>(&'a self, keys: &'a [String], session: &'a str) -> BoxFuture<'a, Result<Recalled, StoreError>> {
        Box::pin(async move { self.readers.look(|conn| read::recall(conn, &self.key, keys, session)) })
    }

    fn outcomes<'a>(
        &'a self,
        session: &'a str,
        task: &'a str,
        tool: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<OutcomeRecord>, StoreError>> {
        Box::pin(async move { self.readers.look(|conn| read::outcomes(conn, (session, task, tool), limit)) })
    }

    fn result<'a>(&'a self, call_id: &'a str) -> BoxFuture<'a, Result<Option<StoredResult>, StoreError>> {
        Box::pin(async move { self.readers.look(|conn| read::result(conn, call_id)) })
    }

    fn call<'a>(&'a self, call_id: &'a str) -> BoxFuture<'a, Result<Option<CallStory>, StoreError>> {
        Box::pin(async move { self.readers.look(|conn| read::story(conn, call_id)) })
    }

    fn calls<'a>(&'a self, filter: &'a CallFilter) -> BoxFuture<'a, Result<Vec<CallRecord>, StoreError>> {
        let filter = filter.clone();
        Box::pin(self.readers.read(move |conn| read::calls(conn, &filter)))
    }

    fn past<'a>(&'a self, tenant: &'a str, session: &'a str, task: &'a str) -> BoxFuture<'a, Result<Past, StoreError>> {
        let [tenant, session, task] = [tenant, session, task].map(str::to_owned);
        Box::pin(self.readers.read(move |conn| read::past(conn, &tenant, &session, &task)))
    }

    fn ticket<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<TicketRecord>, StoreError>> {
        Box::pin(async move { self.readers.look(|conn| read::ticket(conn, &self.key, id)) })
    }

    fn tickets<'a>(&'a self, filter: &'a TicketFilter) -> BoxFuture<'a, Result<Vec<TicketRecord>, StoreError>> {
        let (filter, key) = (filter.clone(), self.key.clone());
        Box::pin(self.readers.read(move |conn| read::tickets(conn, &key, &filter)))
    }

    fn stops(&self) -> BoxFuture<'_, Result<Vec<Stop>, StoreError>> {
        Box::pin(async move { self.readers.look(read::all_open_stops) })
    }

    fn undo_folder(&self) -> Option<PathBuf> {
        Some(beside(self.place.path(), ".undo"))
    }

    fn keys<'a>(&'a self, filter: &'a KeyFilter) -> BoxFuture<'a, Result<Vec<KeyRecord>, StoreError>> {
        let (filter, key) = (filter.clone(), self.key.clone());
        Box::pin(self.readers.read(move |conn| read::keys(conn, &key, &filter)))
    }

    fn old<'a>(&'a self, filter: &'a OldFilter) -> BoxFuture<'a, Result<Vec<String>, StoreError>> {
        let filter = filter.clone();
        Box::pin(self.readers.read(move |conn| read::old(conn, &filter)))
    }

    fn key(&self) -> &GateKey {
        &self.key
    }

    fn report(&self) -> BoxFuture<'_, Result<StoreReport, StoreError>> {
        let (path, key) = (self.place.path().to_owned(), self.key.clone());
        Box::pin(self.readers.read(move |conn| report::report(conn, &path, &key)))
    }
}
