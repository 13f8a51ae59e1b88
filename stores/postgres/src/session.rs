//! One connection that writes: its prepared statements, its chain, and one batch after another. Not what follows
//! from a failure, which is `writer`'s.

use std::time::Duration;

use tokio::time::timeout;
use tokio_postgres::{Client, Statement};
use toolgate_core::keys::GateKey;
use toolgate_core::store::apply::{apply, is_kept};
use toolgate_core::store::{StoreError, StoreFault, Write, Written};

use crate::changes::Changes;
use crate::convert::{KEY, STOP, TICKET};
use crate::load::Footprint;
use crate::rows::Frame;
use crate::shift::{SERVER_MS, Shift};
use crate::{chain, fault};

/// The answer to one write.
pub(crate) type Answer = Result<Written, StoreError>;

/// What went wrong on the way.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The server's word, or that of the connection to it.
    Postgres(tokio_postgres::Error),
    /// What was read can't be.
    Store(StoreError),
}

impl From<tokio_postgres::Error> for Failure {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Postgres(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Failure {
    pub(crate) fn is_lost(&self) -> bool {
        matches!(self, Self::Postgres(error) if fault::is_lost(error))
    }

    fn is_contended(&self) -> bool {
        matches!(self, Self::Postgres(error) if fault::is_contended(error))
    }

    pub(crate) fn into_store(self) -> StoreError {
        match self {
            Self::Postgres(error) => fault::of_postgres(&error),
            Self::Store(error) => error,
        }
    }
}

/// Why a batch has no answers.
#[derive(Debug)]
pub(crate) enum Stuck {
    /// Nothing was written; tried again, it may pass.
    Contended(StoreError),
    /// The connection is no more, and nothing was written.
    Lost(StoreError),
    /// The connection is no more, and the batch of this name may have been committed with these answers.
    InDoubt(StoreError, String, Vec<Answer>),
    /// Nothing was written, and it won't pass.
    Failed(StoreError),
}

/// A backend of the server: its process and when it began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Backend {
    pub(crate) process: i32,
    pub(crate) began: String,
}

macro_rules! statements {
    ($($name:ident = $sql:expr;)*) => {
        /// All statements of a writer, prepared.
        #[derive(Debug)]
        pub(crate) struct Statements { $(pub(crate) $name: Statement,)* }

        impl Statements {
            async fn prepare(client: &Client) -> Result<Self, tokio_postgres::Error> {
                Ok(Self { $($name: client.prepare(&$sql).await?,)* })
            }
        }
    };
}

const CALL_COLUMNS: &str =
    "call_id, session, task, tool, code, state, received_ms, owner, record, tenant, turn, tainted";
const CALL_ARRAYS: &str = "unnest($1::TEXT[], $2::TEXT[], $3::TEXT[], $4::TEXT[], $5::TEXT[], $6::TEXT[], $7::BIGINT[], \
    $8::TEXT[], $9::TEXT[], $10::TEXT[], $11::BIGINT[], $12::BOOLEAN[])";
const KEY_ARRAYS: &str = "unnest($1::TEXT[], $2::TEXT[], $3::TEXT[], $4::TEXT[], $5::TEXT[], $6::BOOLEAN[], $7::BIGINT[], \
    $8::BIGINT[], $9::TEXT[], $10::BIGINT[], $11::BIGINT[], $12::TEXT[])";

statements! {
    now = SERVER_MS;
    lock_digests = "SELECT pg_advisory_xact_lock(hashtextextended('toolgate:ticket:' || current_schema() || ':' || d, 0)) \
        FROM unnest($1::TEXT[]) AS d";
    calls = "SELECT call_id, state FROM calls WHERE call_id = ANY($1) ORDER BY call_id FOR UPDATE";
    leases = "SELECT holder, until_ms FROM leases WHERE holder = ANY($1)";
    all_leases = "SELECT holder, until_ms FROM leases";
    put_leases = "INSERT INTO leases (holder, until_ms) SELECT n.* FROM unnest($1::TEXT[], $2::BIGINT[]) AS n \
        ON CONFLICT (holder) DO UPDATE SET until_ms = greatest(leases.until_ms, excluded.until_ms)";
    drop_leases = "DELETE FROM leases WHERE until_ms <= $1";
    drop_results = "DELETE FROM results WHERE call_id = ANY($1)";
    drop_tickets = "DELETE FROM tickets WHERE id = ANY($1)";
    drop_outcomes = "DELETE FROM outcomes WHERE position = ANY($1)";
    record = "SELECT record FROM calls WHERE call_id = $1";
    results = "SELECT call_id FROM results WHERE call_id = ANY($1)";
    outcomes = "SELECT position, at_ms, tool FROM outcomes WHERE position = ANY($1)";
    call_states = "SELECT call_id, state FROM calls WHERE call_id = ANY($1)";
    keys = format!("SELECT {KEY} FROM keys WHERE key = ANY($1) ORDER BY key FOR UPDATE");
    tickets = format!("SELECT {TICKET} FROM tickets WHERE id = ANY($1) OR (state = 'pending' AND digest = ANY($2)) \
        ORDER BY position FOR UPDATE");
    chain = "SELECT seq, link, seal FROM chains WHERE name = $1 FOR UPDATE";
    stops_made = "SELECT value FROM counters WHERE name = 'stops' FOR UPDATE";
    stops = format!("SELECT {STOP} FROM stops WHERE resumed_ms IS NULL AND left(session, 200) = ANY($1) \
        AND session = ANY($2) ORDER BY id FOR UPDATE");
    owners = "SELECT owner FROM calls WHERE state = 'RUNNING' UNION SELECT owner FROM keys WHERE state = 'running' \
        ORDER BY 1";
    running_calls = "SELECT record, id, owner FROM calls WHERE state = 'RUNNING' AND owner = ANY($1) \
        ORDER BY call_id FOR UPDATE";
    running_keys = format!("SELECT {KEY} FROM keys WHERE state = 'running' AND owner = ANY($1) ORDER BY key FOR UPDATE");
    add_calls = format!("INSERT INTO calls ({CALL_COLUMNS}) \
        SELECT call_id, session, task, tool, code, state, received_ms, coalesce(owner, ''), record, \
        tenant, turn, tainted \
        FROM {CALL_ARRAYS} AS n({CALL_COLUMNS})");
    put_calls = format!("UPDATE calls AS c SET session = n.session, task = n.task, tool = n.tool, code = n.code, \
        state = n.state, received_ms = n.received_ms, owner = coalesce(n.owner, c.owner), record = n.record, \
        tenant = n.tenant, turn = n.turn, tainted = n.tainted \
        FROM {CALL_ARRAYS} AS n({CALL_COLUMNS}) WHERE c.call_id = n.call_id");
    add_events = "INSERT INTO events (chain, seq, call_id, kind, at_ms, body, link) SELECT $1::TEXT, n.* \
        FROM unnest($2::BIGINT[], $3::TEXT[], $4::TEXT[], $5::BIGINT[], $6::TEXT[], $7::TEXT[]) AS n";
    add_keys = format!("INSERT INTO keys ({KEY}) SELECT n.* FROM {KEY_ARRAYS} AS n");
    put_keys = format!("UPDATE keys AS k SET fingerprint = n.fingerprint, tool = n.tool, call_id = n.call_id, \
        state = n.state, idempotent = n.idempotent, attempts = n.attempts, fence = n.fence, owner = n.owner, \
        claimed_ms = n.claimed_ms, settled_ms = n.settled_ms, seal = n.seal FROM {KEY_ARRAYS} AS n({KEY}) \
        WHERE k.key = n.key");
    add_tickets = "INSERT INTO tickets (id, call_id, tool, digest, session, task, state, created_ms, expires_ms, sealed, rest, \
        seal) \
        SELECT n.* FROM unnest($1::TEXT[], $2::TEXT[], $3::TEXT[], $4::TEXT[], $5::TEXT[], $6::TEXT[], $7::TEXT[], \
        $8::BIGINT[], $9::BIGINT[], $10::BYTEA[], $11::TEXT[], $12::TEXT[]) AS n";
    put_tickets = "UPDATE tickets AS t SET state = n.state, rest = n.rest, seal = n.seal \
        FROM unnest($1::TEXT[], $2::TEXT[], $3::TEXT[], $4::TEXT[]) AS n(id, state, rest, seal) WHERE t.id = n.id";
    add_outcomes = "INSERT INTO outcomes (session, task, tool, call_id, at_ms, ok, facts) SELECT n.* \
        FROM unnest($1::TEXT[], $2::TEXT[], $3::TEXT[], $4::TEXT[], $5::BIGINT[], $6::BOOLEAN[], $7::BYTEA[]) AS n";
    put_results = "INSERT INTO results (call_id, session, sealed) SELECT n.* \
        FROM unnest($1::TEXT[], $2::TEXT[], $3::BYTEA[]) AS n \
        ON CONFLICT (call_id) DO UPDATE SET session = excluded.session, sealed = excluded.sealed";
    add_stops = format!("INSERT INTO stops ({STOP}) SELECT n.* FROM unnest($1::BIGINT[], $2::TEXT[], $3::TEXT[], \
        $4::TEXT[], $5::TEXT[], $6::TEXT[], $7::BIGINT[], $8::TEXT[], $9::BIGINT[]) AS n");
    put_stops = "UPDATE stops AS s SET resumed_by = n.resumed_by, resumed_ms = n.resumed_ms \
        FROM unnest($1::BIGINT[], $2::TEXT[], $3::BIGINT[]) AS n(id, resumed_by, resumed_ms) WHERE s.id = n.id";
    put_stops_made = "UPDATE counters SET value = $1 WHERE name = 'stops'";
    put_chain = "UPDATE chains SET seq = $2, link = $3, seal = $4 WHERE name = $1";
    note_batch = "WITH gone AS (DELETE FROM batches WHERE id = $2) INSERT INTO batches (id) VALUES ($1)";
}

/// A connection that writes to its own chain.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) client: Client,
    pub(crate) statements: Statements,
    pub(crate) gate: GateKey,
    pub(crate) chain: String,
    pub(crate) backend: Backend,
    /// The name of the last batch that was committed here; empty before.
    pub(crate) last_batch: String,
    count: u64,
}

/// Whether a commit must wait for the medium. A person's decision isn't asked for twice.
fn is_durable(write: &Write) -> bool {
    match write {
        Write::Begin(_) | Write::Decide(_) | Write::Resume(_) | Write::Resolve(_) => true,
        Write::Record(record) => record.durable,
        Write::Note(_) | Write::Sweep(_) | Write::Renew(_) | Write::Prune(_) => false,
    }
}

impl Session {
    /// Takes a chain and prepares the statements.
    pub(crate) async fn open(client: Client, prefix: &str, gate: &GateKey, backend: Backend) -> Result<Self, Failure> {
        // What is set to wait for more, such as for standbys, stays.
        let insist =
            "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'";
        client.execute(insist, &[]).await?;
        // What earlier connections left, which nobody will ask for any more.
        client.execute("DELETE FROM batches WHERE at < now() - INTERVAL '1 day'", &[]).await?;
        let chain = chain::take(&client, prefix, gate).await?;
        let statements = Statements::prepare(&client).await?;
        Ok(Self { client, statements, gate: gate.clone(), chain, backend, last_batch: String::new(), count: 0 })
    }

    /// One transaction for all writes. One that fails leaves the others as they are.
    pub(crate) async fn attempt(
        &mut self,
        writes: &[Write],
        shift: &Shift,
        wait: Duration,
    ) -> Result<Vec<Answer>, Stuck> {
        let durable = writes.iter().any(is_durable);
        let foot = Footprint::of(writes);
        let load = async {
            let (mut loaded, head) = self.load(&foot, durable, shift).await?;
            for write in writes {
                match write {
                    Write::Sweep(sweep) => self.load_sweep(&mut loaded, sweep).await?,
                    Write::Prune(prune) => self.load_prune(&mut loaded, prune).await?,
                    Write::Resolve(resolve) => self.load_record(&mut loaded, &resolve.call_id).await?,
                    _ => {}
                }
            }
            Ok((loaded, head))
        };
        // The server ends a wait for a lock by itself; this is for one that says nothing any more.
        let (loaded, head) = match timeout(wait * 2, load).await {
            Ok(Ok(found)) => found,
            Ok(Err(failure)) => return Err(self.given_up(failure).await),
            Err(_) => return Err(Stuck::Lost(silent())),
        };
        let (changes, answers) = self.apply_all(writes, shift, &loaded);
        if changes.is_empty() {
            return match self.client.batch_execute("ROLLBACK").await {
                Ok(()) => Ok(answers),
                Err(error) => Err(Stuck::Lost(fault::of_postgres(&error))),
            };
        }
        self.count += 1;
        let batch = format!("{}:{}:{}:{}", self.chain, self.backend.process, self.backend.began, self.count);
        match timeout(wait * 2, self.flush(&loaded, &head, &changes, &batch)).await {
            Ok(Ok(())) => {
                self.last_batch = batch;
                Ok(answers)
            }
            Ok(Err(failure)) if failure.is_lost() => Err(Stuck::InDoubt(failure.into_store(), batch, answers)),
            Ok(Err(failure)) => Err(self.given_up(failure).await),
            Err(_) => Err(Stuck::InDoubt(silent(), batch, answers)),
        }
    }

    fn apply_all(&self, writes: &[Write], shift: &Shift, loaded: &crate::changes::Loaded) -> (Changes, Vec<Answer>) {
        let mut kept = Changes::default();
        let mut answers = Vec::with_capacity(writes.len());
        for write in writes {
            let mut frame = Frame { gate: &self.gate, loaded, kept: &kept, own: Changes::default() };
            let answer = apply(&mut frame, shift.to_server(write.clone()));
            let own = frame.own;
            if answer.as_ref().is_ok_and(is_kept) {
                kept.keep(own);
            }
            answers.push(answer.map(|written| shift.to_host(written)));
        }
        (kept, answers)
    }

    /// Ends the transaction after a failure that the server told.
    async fn given_up(&self, failure: Failure) -> Stuck {
        if failure.is_lost() {
            return Stuck::Lost(failure.into_store());
        }
        let is_contended = failure.is_contended();
        let error = failure.into_store();
        match self.client.batch_execute("ROLLBACK").await {
            Err(lost) => Stuck::Lost(fault::of_postgres(&lost)),
            Ok(()) if is_contended => Stuck::Contended(error),
            Ok(()) => Stuck::Failed(error),
        }
    }
}

fn silent() -> StoreError {
    fault::error(StoreFault::Gone, "the server doesn't answer any more")
}
