//! Tables, indexes and the steps from one version to the next. A file of another program or of a
//! newer version is refused before anything in it changes.

use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior};
use toolgate_core::keys::GateKey;
use toolgate_core::store::{StoreError, StoreFault};

use crate::fault;

/// Marks a database file as toolgate's: `tgat`.
pub const APPLICATION_ID: i32 = 0x7467_6174;

/// The version of the tables that this library writes.
pub const SCHEMA_VERSION: i32 = 3;

/// Step `n` leads from version `n` to `n + 1`.
const STEPS: [&str; 3] = [VERSION_1, VERSION_2, VERSION_3];

const VERSION_1: &str = "
CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- `id` gives the order in which calls came. `owner` matters while the call is RUNNING.
CREATE TABLE calls (
    id INTEGER PRIMARY KEY,
    call_id TEXT NOT NULL UNIQUE,
    session TEXT NOT NULL,
    task TEXT NOT NULL,
    tool TEXT NOT NULL,
    code TEXT NOT NULL,
    state TEXT NOT NULL,
    received_ms INTEGER NOT NULL,
    owner TEXT NOT NULL,
    record TEXT NOT NULL
) STRICT;
CREATE INDEX calls_session ON calls (session);
CREATE INDEX calls_task ON calls (task);
CREATE INDEX calls_tool ON calls (tool);
CREATE INDEX calls_received ON calls (received_ms);
-- What nearly all calls have is found by walking the table, and needs no index.
CREATE INDEX calls_code ON calls (code) WHERE code <> 'OK';
CREATE INDEX calls_state ON calls (state) WHERE state <> 'SUCCEEDED';
CREATE INDEX calls_running ON calls (owner) WHERE state = 'RUNNING';

-- Append-only. `body` is the text that `link` covers.
CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    call_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    body TEXT NOT NULL,
    link TEXT NOT NULL
) STRICT;
CREATE INDEX events_call ON events (call_id);

-- `seal` marks a row under the gate's key: who writes one without it is found out.
CREATE TABLE keys (
    key TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    tool TEXT NOT NULL,
    call_id TEXT NOT NULL,
    state TEXT NOT NULL,
    idempotent INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    fence INTEGER NOT NULL,
    owner TEXT NOT NULL,
    claimed_ms INTEGER NOT NULL,
    settled_ms INTEGER,
    seal TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX keys_running ON keys (owner) WHERE state = 'running';

CREATE TABLE tickets (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    call_id TEXT NOT NULL,
    tool TEXT NOT NULL,
    contract TEXT NOT NULL,
    digest TEXT NOT NULL,
    sealed BLOB NOT NULL,
    session TEXT NOT NULL,
    task TEXT NOT NULL,
    principal TEXT NOT NULL,
    user TEXT,
    policy TEXT NOT NULL,
    view TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    state TEXT NOT NULL,
    decided_by TEXT,
    channel TEXT,
    comment TEXT,
    decided_ms INTEGER,
    seal TEXT NOT NULL
) STRICT;
CREATE INDEX tickets_session ON tickets (session);
CREATE INDEX tickets_tool ON tickets (tool);
CREATE INDEX tickets_digest ON tickets (digest);
CREATE INDEX tickets_state ON tickets (state);

CREATE TABLE outcomes (
    position INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    task TEXT NOT NULL,
    tool TEXT NOT NULL,
    call_id TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    ok INTEGER NOT NULL,
    facts BLOB NOT NULL
) STRICT;
CREATE INDEX outcomes_of ON outcomes (session, task, tool);

CREATE TABLE results (
    position INTEGER PRIMARY KEY,
    call_id TEXT NOT NULL UNIQUE,
    session TEXT NOT NULL,
    sealed BLOB NOT NULL
) STRICT;

CREATE TABLE stops (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL,
    task TEXT NOT NULL,
    tool TEXT NOT NULL,
    reach TEXT NOT NULL,
    call_id TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    resumed_by TEXT,
    resumed_ms INTEGER
) STRICT;
CREATE INDEX stops_open ON stops (session) WHERE resumed_ms IS NULL;
";

/// Tickets that need several people.
const VERSION_2: &str = "
ALTER TABLE tickets ADD COLUMN needed INTEGER NOT NULL DEFAULT 1;
ALTER TABLE tickets ADD COLUMN approvals TEXT NOT NULL DEFAULT '[]';
";

/// Leases of those who own running calls, by the host's clock since its start; and what an operator asks
/// for: keys that are open, by call.
const VERSION_3: &str = "
CREATE TABLE leases (
    holder TEXT PRIMARY KEY,
    until_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX keys_open ON keys (call_id) WHERE state = 'in_doubt';
";

/// What a file is to this library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Nothing is in it yet.
    Empty,
    /// Of this version, from 1.
    Version(i32),
}

fn number(conn: &Connection, pragma: &str) -> Result<i32, StoreError> {
    conn.pragma_query_value(None, pragma, |row| row.get(0)).map_err(fault::of_sqlite)
}

/// What the file is at one moment: another process may be making its tables.
///
/// # Errors
/// [`StoreFault::Corrupt`] for a file of another program or of a newer version.
pub(crate) fn standing(conn: &Connection) -> Result<Standing, StoreError> {
    let frame = conn.unchecked_transaction().map_err(fault::of_sqlite)?;
    let standing = standing_within(&frame)?;
    frame.finish().map_err(fault::of_sqlite)?;
    Ok(standing)
}

fn standing_within(conn: &Connection) -> Result<Standing, StoreError> {
    let application = number(conn, "application_id")?;
    let version = number(conn, "user_version")?;
    let objects: i64 =
        conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(fault::of_sqlite)?;
    match (application, version) {
        (0, 0) if objects == 0 => Ok(Standing::Empty),
        (APPLICATION_ID, 1..=SCHEMA_VERSION) => Ok(Standing::Version(version)),
        (APPLICATION_ID, _) => Err(fault::error(
            StoreFault::Corrupt,
            format!("the database has version {version}, this library knows 1 to {SCHEMA_VERSION}; use a newer one"),
        )),
        _ => Err(fault::error(StoreFault::Corrupt, "the file is a database of another program")),
    }
}

/// Brings the file to [`SCHEMA_VERSION`] in one transaction, and ties a new one to its key.
pub(crate) fn migrate(conn: &mut Connection, key: &GateKey) -> Result<(), StoreError> {
    let frame = conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(fault::of_sqlite)?;
    let before = match standing_within(&frame)? {
        Standing::Empty => 0,
        Standing::Version(version) => version,
    };
    let done = usize::try_from(before).unwrap_or_default();
    for step in STEPS.iter().skip(done) {
        frame.execute_batch(step).map_err(fault::of_sqlite)?;
    }
    if before == 0 {
        frame.pragma_update(None, "application_id", APPLICATION_ID).map_err(fault::of_sqlite)?;
        let insert = "INSERT INTO meta (name, value) VALUES ('key_check', ?1)";
        frame.execute(insert, [key_check(key)]).map_err(fault::of_sqlite)?;
    }
    if before < SCHEMA_VERSION {
        frame.pragma_update(None, "user_version", SCHEMA_VERSION).map_err(fault::of_sqlite)?;
    }
    frame.commit().map_err(fault::of_sqlite)
}

fn key_check(key: &GateKey) -> String {
    key.digest("toolgate.key-check.v1", &[])
}

/// Whether the key is the one that the file was written with.
pub(crate) fn check_key(conn: &Connection, key: &GateKey) -> Result<(), StoreError> {
    let select = "SELECT value FROM meta WHERE name = 'key_check'";
    let stored: Option<String> = conn.query_row(select, [], |row| row.get(0)).optional().map_err(fault::of_sqlite)?;
    match stored {
        Some(stored) if stored == key_check(key) => Ok(()),
        Some(_) => Err(fault::error(StoreFault::Corrupt, "the key file belongs to another database")),
        None => Err(fault::error(StoreFault::Corrupt, "the database doesn't say which key it was written with")),
    }
}
