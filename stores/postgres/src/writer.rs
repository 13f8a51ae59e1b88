//! Batches against a server that may be away, contended, or gone in the middle: what is tried again, what is read
//! back, and when it is given up. Not the transaction itself, which is `session`'s.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout_at};
use tokio_postgres::Client;
use toolgate_core::keys::GateKey;
use toolgate_core::store::{StoreError, StoreFault, Write};

use crate::connect::Place;
use crate::migrate::{Standing, checked_key, standing};
use crate::options::{KeySource, PostgresOptions};
use crate::session::{Answer, Backend, Failure, Session, Stuck};
use crate::shift::Shift;
use crate::{fault, migrate};

/// How often a batch stands against others before it is [`StoreFault::Busy`].
const MOST_TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(20);

/// The name of the chain that a store writes, for its report.
pub(crate) type ChainName = Arc<Mutex<String>>;

/// What writes for one store.
#[derive(Debug)]
pub(crate) struct Writer {
    place: Place,
    gate: GateKey,
    source: KeySource,
    prefix: String,
    wait: Duration,
    shift: Shift,
    chain: ChainName,
    session: Option<Session>,
    /// The backend of a connection that was lost: it may still be at work.
    lost: Option<Backend>,
}

fn all(error: &StoreError, size: usize) -> Vec<Answer> {
    vec![Err(error.clone()); size]
}

impl Writer {
    /// Makes the tables where there are none, and takes a chain.
    pub(crate) async fn open(place: Place, options: &PostgresOptions, shift: Shift) -> Result<Self, StoreError> {
        let mut client = place.for_writing(options.wait).await?;
        let gate = migrate::migrate(&mut client, place.schema(), &options.key).await?;
        let mut writer = Self {
            place,
            gate,
            source: options.key.clone(),
            prefix: options.chain.clone(),
            wait: options.wait,
            shift,
            chain: ChainName::default(),
            session: None,
            lost: None,
        };
        let session = writer.begin_session(client).await.map_err(Failure::into_store)?;
        writer.session = Some(session);
        Ok(writer)
    }

    pub(crate) fn gate(&self) -> &GateKey {
        &self.gate
    }

    pub(crate) fn chain(&self) -> ChainName {
        Arc::clone(&self.chain)
    }

    /// One transaction for all writes, tried again where that may help. An error is everybody's.
    pub(crate) async fn write(&mut self, writes: &[Write]) -> Vec<Answer> {
        match self.try_write(writes).await {
            Ok(answers) => answers,
            // One of them may be what the server doesn't take; the others must not suffer for it.
            Err(Stuck::Failed(_)) if writes.len() > 1 => {
                let mut answers = Vec::with_capacity(writes.len());
                for write in writes {
                    let alone = self.try_write(std::slice::from_ref(write)).await;
                    answers.extend(alone.unwrap_or_else(|stuck| all(&stuck.into_store(), 1)));
                }
                answers
            }
            Err(stuck) => all(&stuck.into_store(), writes.len()),
        }
    }

    async fn try_write(&mut self, writes: &[Write]) -> Result<Vec<Answer>, Stuck> {
        let deadline = Instant::now() + self.wait;
        let mut tries = 0;
        loop {
            tries += 1;
            let (shift, wait) = (self.shift.clone(), self.wait);
            let session = self.session(deadline).await.map_err(Stuck::Lost)?;
            let stuck = match session.attempt(writes, &shift, wait).await {
                Ok(answers) => return Ok(answers),
                Err(stuck) => stuck,
            };
            let is_over = tries >= MOST_TRIES || Instant::now() >= deadline;
            match stuck {
                Stuck::Contended(error) if is_over => {
                    return Err(Stuck::Failed(fault::error(
                        StoreFault::Busy,
                        format!("others write the same: {error}"),
                    )));
                }
                Stuck::Contended(error) => {
                    tracing::debug!(%error, "a transaction is tried again");
                    sleep(PAUSE.saturating_mul(tries) / 4).await;
                }
                Stuck::Lost(error) => {
                    self.lose();
                    if is_over {
                        return Err(Stuck::Lost(error));
                    }
                }
                Stuck::InDoubt(error, batch, answers) => {
                    tracing::warn!(%error, "the answer to a commit was lost");
                    self.lose();
                    // A new patience: to know what became of it is worth more than to be quick.
                    if self.was_committed(&batch, Instant::now() + self.wait).await? {
                        return Ok(answers);
                    }
                    if is_over {
                        return Err(Stuck::Lost(error));
                    }
                }
                Stuck::Failed(error) => return Err(Stuck::Failed(error)),
            }
        }
    }

    fn lose(&mut self) {
        if let Some(session) = self.session.take() {
            self.lost = Some(session.backend);
        }
    }

    /// Whether a batch was committed whose answer was lost. Known once its backend has ended.
    async fn was_committed(&mut self, batch: &str, deadline: Instant) -> Result<bool, Stuck> {
        let unknown = |error: StoreError| {
            let text = format!("the connection ended while it committed, and it isn't known whether it did: {error}");
            Stuck::Lost(fault::error(StoreFault::Gone, text))
        };
        loop {
            let session = self.session(deadline).await.map_err(unknown)?;
            match session.client.query_opt("SELECT 1 FROM batches WHERE id = $1", &[&batch]).await {
                Ok(row) => {
                    if row.is_some() {
                        batch.clone_into(&mut session.last_batch);
                    }
                    return Ok(row.is_some());
                }
                Err(error) if fault::is_lost(&error) && Instant::now() < deadline => self.lose(),
                Err(error) => return Err(unknown(fault::of_postgres(&error))),
            }
        }
    }

    /// The session, or a new one where the last one is lost. Tries until the deadline, at least once.
    async fn session(&mut self, deadline: Instant) -> Result<&mut Session, StoreError> {
        if self.session.as_ref().is_some_and(|session| session.client.is_closed()) {
            self.lose();
        }
        // Not `if let`: the borrow would last to the end.
        if self.session.is_none() {
            let session = self.connect(deadline).await?;
            self.session = Some(session);
        }
        self.session.as_mut().ok_or_else(fault::ended)
    }

    async fn connect(&mut self, deadline: Instant) -> Result<Session, StoreError> {
        loop {
            let opened = timeout_at(deadline.max(Instant::now() + self.wait), self.try_connect()).await;
            let error = match opened {
                Ok(Ok(session)) => return Ok(session),
                Ok(Err(error)) => error,
                Err(_) => fault::error(StoreFault::Gone, "the server doesn't answer"),
            };
            if Instant::now() >= deadline || !matches!(error.fault(), StoreFault::Gone | StoreFault::Busy) {
                return Err(error);
            }
            sleep(PAUSE * 5).await;
        }
    }

    /// A server that came back may be another one: it must have the same tables and the same key.
    async fn try_connect(&mut self) -> Result<Session, StoreError> {
        let client = self.place.for_writing(self.wait).await?;
        match standing(&client, self.place.schema()).await? {
            Standing::Empty => return Err(fault::error(StoreFault::Gone, "the tables are gone from the database")),
            Standing::Version(_, check) => checked_key(&self.source, &check).map(drop)?,
        }
        if let Some(lost) = self.lost.clone() {
            bury(&client, &lost).await.map_err(|error| fault::of_postgres(&error))?;
            self.lost = None;
        }
        self.begin_session(client).await.map_err(Failure::into_store)
    }

    async fn begin_session(&self, client: Client) -> Result<Session, Failure> {
        let sql = "SELECT pid, backend_start::TEXT FROM pg_stat_activity WHERE pid = pg_backend_pid()";
        let row = client.query_one(sql, &[]).await?;
        let backend = Backend { process: row.try_get(0)?, began: row.try_get(1)? };
        let session = Session::open(client, &self.prefix, &self.gate, backend).await?;
        session.chain.clone_into(&mut self.chain.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(session)
    }
}

impl Stuck {
    fn into_store(self) -> StoreError {
        match self {
            Self::Contended(error) | Self::Lost(error) | Self::InDoubt(error, ..) | Self::Failed(error) => error,
        }
    }
}

/// Ends the backend of a lost connection and waits until it has: before that its transaction is nowhere and may
/// still be committed. The time is the caller's to bound.
async fn bury(client: &Client, lost: &Backend) -> Result<(), tokio_postgres::Error> {
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND backend_start::TEXT = $2";
    while !client.query(end, &[&lost.process, &lost.began]).await?.is_empty() {
        sleep(PAUSE).await;
    }
    Ok(())
}
