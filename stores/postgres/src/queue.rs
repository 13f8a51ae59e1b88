//! What the callers of one store wait in: jobs that came while others were committed share the next commit.

use tokio::sync::{mpsc, oneshot};
use toolgate_core::store::Write;

use crate::session::Answer;
use crate::writer::Writer;

/// Writes of one caller, and where the answers go.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) writes: Vec<Write>,
    pub(crate) answer: oneshot::Sender<Vec<Answer>>,
}

/// What looks up or removes many rows stands alone.
fn is_wide(write: &Write) -> bool {
    matches!(write, Write::Sweep(_) | Write::Prune(_))
}

fn is_alone(job: &Job) -> bool {
    job.writes.iter().any(is_wide)
}

/// Serves the queue until the store is dropped and nothing is queued.
pub(crate) async fn run(mut writer: Writer, mut queue: mpsc::Receiver<Job>, most: usize) {
    let mut next = None;
    loop {
        let first = match next.take() {
            Some(job) => job,
            None => match queue.recv().await {
                Some(job) => job,
                None => return,
            },
        };
        let mut size = first.writes.len();
        let mut alone = is_alone(&first);
        let mut batch = vec![first];
        while size < most && !alone {
            let Ok(job) = queue.try_recv() else { break };
            alone = is_alone(&job);
            if alone {
                next = Some(job);
            } else {
                size += job.writes.len();
                batch.push(job);
            }
        }
        serve(&mut writer, batch).await;
    }
}

async fn serve(writer: &mut Writer, batch: Vec<Job>) {
    let mut callers = Vec::with_capacity(batch.len());
    let mut writes = Vec::with_capacity(batch.len());
    for job in batch {
        callers.push((job.writes.len(), job.answer));
        writes.extend(job.writes);
    }
    let mut answers = Vec::with_capacity(writes.len());
    // A job may bring one among other writes.
    for part in writes.chunk_by(|a, b| !is_wide(a) && !is_wide(b)) {
        answers.extend(writer.write(part).await);
    }
    let mut answers = answers.into_iter();
    for (size, caller) in callers {
        // The commit stands whether or not the caller still waits.
        let _ = caller.send(answers.by_ref().take(size).collect());
    }
}
