//! Connections that read what is committed and never wait for the writer: one for look-ups by name, which
//! take microseconds and run where they are asked for, and threads for what may walk the whole file.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};
use toolgate_core::store::{StoreError, StoreFault};

use crate::fault;
use crate::place::Place;

type Job = Box<dyn FnOnce(&Connection) + Send>;

const QUEUE: usize = 1024;

/// The readers of a store. Dropping them finishes what is queued.
#[derive(Debug)]
pub(crate) struct Readers {
    place: Place,
    /// For look-ups by name. `None` once closed.
    near: Mutex<Option<Connection>>,
    jobs: Option<mpsc::Sender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

fn ended() -> StoreError {
    fault::error(StoreFault::Io, "the thread that reads has ended")
}

impl Readers {
    /// One thread for each connection of `connections`; `near` is for look-ups, and for everything where
    /// there are no others.
    pub(crate) fn start(place: Place, near: Connection, connections: Vec<Connection>) -> Result<Self, StoreError> {
        let (jobs, queue) = mpsc::channel(QUEUE);
        let queue = Arc::new(Mutex::new(queue));
        let mut readers = Self { place, near: Mutex::new(Some(near)), jobs: Some(jobs), threads: Vec::new() };
        for conn in connections {
            let queue = Arc::clone(&queue);
            let thread = thread::Builder::new()
                .name("toolgate-read".to_owned())
                .spawn(move || work(&conn, &queue))
                .map_err(|error| StoreError::of_file("reader thread", &error))?;
            readers.threads.push(thread);
        }
        Ok(readers)
    }

    fn near(&self) -> MutexGuard<'_, Option<Connection>> {
        self.near.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks up by name, here and now, in one transaction. For queries that touch few rows: no thread is
    /// woken, and whoever polls waits for them.
    pub(crate) fn look<T>(&self, query: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.place.check()?;
        in_transaction(self.near().as_ref().ok_or_else(ended)?, query)
    }

    /// Closes all connections, once what is queued is done.
    pub(crate) fn close(&mut self) {
        self.jobs = None;
        for thread in self.threads.drain(..) {
            // A thread that panicked has nothing left to finish.
            let _ = thread.join();
        }
        drop(self.near().take());
    }

    /// Reads in one transaction, so that several queries see the same moment.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        if self.threads.is_empty() {
            return self.look(query);
        }
        let jobs = self.jobs.as_ref().ok_or_else(ended)?;
        let (answer, answered) = oneshot::channel();
        let place = self.place.clone();
        let job: Job = Box::new(move |conn| {
            // Nobody listens any longer where the caller was dropped.
            let _ = answer.send(place.check().and_then(|()| in_transaction(conn, query)));
        });
        jobs.send(job).await.map_err(|_| ended())?;
        answered.await.map_err(|_| ended())?
    }
}

fn in_transaction<T>(
    conn: &Connection,
    query: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let frame = Moment::open(conn)?;
    let found = query(conn)?;
    frame.finish()?;
    Ok(found)
}

/// A transaction that reads, ended whatever happens. Its statements are cached.
struct Moment<'a>(&'a Connection);

impl<'a> Moment<'a> {
    fn open(conn: &'a Connection) -> Result<Self, StoreError> {
        execute(conn, "BEGIN")?;
        Ok(Self(conn))
    }

    fn finish(self) -> Result<(), StoreError> {
        execute(self.0, "COMMIT")
    }
}

impl Drop for Moment<'_> {
    fn drop(&mut self) {
        if !self.0.is_autocommit() {
            // Where this fails, the next BEGIN does too and says so.
            let _ = execute(self.0, "ROLLBACK");
        }
    }
}

fn execute(conn: &Connection, sql: &str) -> Result<(), StoreError> {
    conn.prepare_cached(sql).and_then(|mut statement| statement.execute([])).map_err(fault::of_sqlite)?;
    Ok(())
}

fn work(conn: &Connection, queue: &Mutex<mpsc::Receiver<Job>>) {
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).blocking_recv();
        match job {
            Some(job) => job(conn),
            None => return,
        }
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        self.close();
    }
}
