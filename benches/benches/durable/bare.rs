//! SQLite with nothing around it, as fast as it goes: a connection, and a thread that commits what is
//! queued in one transaction.

#![expect(unreachable_pub, reason = "part of a bench")]

use std::path::Path;
use std::sync::mpsc;

use rusqlite::Connection;
use tokio::sync::oneshot;

/// What a record of the gate holds beside its name and state, about.
const FILLING: usize = 300;

/// A connection with the gate's settings and one table.
pub struct Raw {
    conn: Connection,
    filling: String,
}

impl Raw {
    pub fn open(path: &Path) -> Self {
        let conn = Connection::open(path).unwrap();
        conn.pragma_update(None, "journal_mode", "wal").unwrap();
        conn.pragma_update(None, "synchronous", "FULL").unwrap();
        conn.execute_batch("CREATE TABLE calls (id INTEGER PRIMARY KEY, name TEXT UNIQUE, state TEXT, record TEXT)")
            .unwrap();
        Self { conn, filling: "r".repeat(FILLING) }
    }

    pub fn insert(&self, name: &str, state: &str) {
        let sql = "INSERT INTO calls (name, state, record) VALUES (?1, ?2, ?3)";
        self.conn.prepare_cached(sql).unwrap().execute((name, state, &self.filling)).unwrap();
    }

    pub fn update(&self, name: &str) {
        let sql = "UPDATE calls SET state = 'SUCCEEDED', record = ?2 WHERE name = ?1";
        self.conn.prepare_cached(sql).unwrap().execute((name, &self.filling)).unwrap();
    }

    fn execute(&self, sql: &str) {
        self.conn.prepare_cached(sql).unwrap().execute([]).unwrap();
    }
}

enum Step {
    Begin(String),
    Finish(String),
}

struct Job {
    step: Step,
    done: oneshot::Sender<()>,
}

/// A thread that commits what is queued.
pub struct Writer {
    jobs: mpsc::Sender<Job>,
}

impl Writer {
    pub fn start(raw: Raw) -> Self {
        let (jobs, queue) = mpsc::channel::<Job>();
        std::thread::spawn(move || {
            while let Ok(first) = queue.recv() {
                let batch: Vec<Job> = std::iter::once(first).chain(queue.try_iter().take(255)).collect();
                raw.execute("BEGIN IMMEDIATE");
                for job in &batch {
                    match &job.step {
                        Step::Begin(name) => raw.insert(name, "RUNNING"),
                        Step::Finish(name) => raw.update(name),
                    }
                }
                raw.execute("COMMIT");
                for job in batch {
                    job.done.send(()).unwrap();
                }
            }
        });
        Self { jobs }
    }

    async fn commit(&self, step: Step) {
        let (done, committed) = oneshot::channel();
        self.jobs.send(Job { step, done }).unwrap();
        committed.await.unwrap();
    }

    pub async fn begin_and_finish(&self, name: String) {
        self.commit(Step::Begin(name.clone())).await;
        self.commit(Step::Finish(name)).await;
    }
}
