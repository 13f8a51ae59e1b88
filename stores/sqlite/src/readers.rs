//! Threads that read, each with a connection of its own. They see what is committed, and never wait
//! for the writer.

use std::sync::{Arc, Mutex, PoisonError};
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
    jobs: Option<mpsc::Sender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

fn ended() -> StoreError {
    fault::error(StoreFault::Io, "the thread that reads has ended")
}

impl Readers {
    /// One thread for each connection.
    pub(crate) fn start(place: Place, connections: Vec<Connection>) -> Result<Self, StoreError> {
        let (jobs, queue) = mpsc::channel(QUEUE);
        let queue = Arc::new(Mutex::new(queue));
        let mut readers = Self { place, jobs: Some(jobs), threads: Vec::new() };
        for conn in connections {
            let queue = Arc::clone(&queue);
            let thread = thread::Builder::new()
                .name("toolgate-read".to_owned())
                .spawn(move || work(&conn, &queue))
                .map_err(|error| fault::of_file("reader thread", &error))?;
            readers.threads.push(thread);
        }
        Ok(readers)
    }

    /// Reads in one transaction, so that several queries see the same moment.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
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
    let frame = conn.unchecked_transaction().map_err(fault::of_sqlite)?;
    let found = query(&frame)?;
    frame.finish().map_err(fault::of_sqlite)?;
    Ok(found)
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
        self.jobs = None;
        for thread in self.threads.drain(..) {
            // A thread that panicked has nothing left to finish.
            let _ = thread.join();
        }
    }
}
