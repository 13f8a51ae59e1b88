//! Where writes are brought. One that comes alone is committed by whoever brings it; the others queue for
//! a thread that commits a batch at once. Not the commit itself, which is `writer`'s.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::{mpsc, oneshot};
use toolgate_core::store::Write;

use crate::writer::{Answer, Writer};

/// Most writes that share a commit, a job of more aside.
const BATCH: usize = 256;

/// Writes of one caller, and where the answers go.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) writes: Vec<Write>,
    pub(crate) answer: oneshot::Sender<Vec<Answer>>,
    pub(crate) turn: Turn,
}

/// A place in the queue, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn(Arc<Desk>);

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The writer, and who waits for it.
#[derive(Debug)]
pub(crate) struct Desk {
    /// `None` once closed.
    writer: Mutex<Option<Writer>>,
    /// How long the thread waits for another process.
    wait: Duration,
    /// Jobs that are queued or being committed by the thread.
    waiting: AtomicUsize,
    /// Whether the last commit served one caller, with no other behind it.
    alone: AtomicBool,
}

/// Whether the runtime goes on while one of its workers waits for the medium.
fn has_several_workers() -> bool {
    Handle::try_current().is_ok_and(|runtime| {
        runtime.runtime_flavor() == RuntimeFlavor::MultiThread && runtime.metrics().num_workers() > 1
    })
}

impl Desk {
    pub(crate) fn new(writer: Writer, wait: Duration) -> Self {
        let writer = Mutex::new(Some(writer));
        Self { writer, wait, waiting: AtomicUsize::new(0), alone: AtomicBool::new(true) }
    }

    /// A place in the queue.
    pub(crate) fn turn(desk: &Arc<Self>) -> Turn {
        desk.waiting.fetch_add(1, Ordering::SeqCst);
        Turn(Arc::clone(desk))
    }

    /// Commits here and now where nobody else writes, in this process or another, and the runtime has
    /// other workers; gives the writes back otherwise. Among many callers a shared commit is faster, so
    /// that one which was shared sends the next ones to the queue.
    pub(crate) fn write_here(&self, writes: Vec<Write>) -> Result<Vec<Answer>, Vec<Write>> {
        let alone = self.alone.load(Ordering::SeqCst) && self.waiting.load(Ordering::SeqCst) == 0;
        if !alone || !has_several_workers() {
            return Err(writes);
        }
        // A writer that panicked serves nobody; the thread finds out and ends.
        let Ok(mut writer) = self.writer.try_lock() else {
            return Err(writes);
        };
        match writer.as_mut() {
            Some(writer) => writer.write_at_once(writes, self.wait),
            None => Err(writes),
        }
    }

    /// The thread's work, until the store is dropped and the queue is empty.
    pub(crate) fn run(&self, mut queue: mpsc::Receiver<Job>) {
        while let Some(job) = queue.blocking_recv() {
            let Ok(mut writer) = self.writer.lock() else {
                return;
            };
            let Some(writer) = writer.as_mut() else {
                return;
            };
            // Only now: others came while it was another's turn.
            let mut size = job.writes.len();
            let mut batch = vec![job];
            while size < BATCH
                && let Ok(job) = queue.try_recv()
            {
                size += job.writes.len();
                batch.push(job);
            }
            self.answer(writer, batch);
        }
    }

    fn answer(&self, writer: &mut Writer, batch: Vec<Job>) {
        let mut callers = Vec::with_capacity(batch.len());
        let mut writes = Vec::with_capacity(batch.len());
        for job in batch {
            callers.push((job.writes.len(), job.answer, job.turn));
            writes.extend(job.writes);
        }
        let mut answers = writer.write(writes).into_iter();
        let alone = callers.len() == 1 && self.waiting.load(Ordering::SeqCst) == 1;
        self.alone.store(alone, Ordering::SeqCst);
        for (size, caller, turn) in callers {
            drop(turn);
            // The commit stands whether or not the caller still waits.
            let _ = caller.send(answers.by_ref().take(size).collect());
        }
    }

    /// Closes the connection that writes. Nothing is written any more.
    pub(crate) fn close(&self) {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(writer) = writer {
            writer.close();
        }
    }
}
