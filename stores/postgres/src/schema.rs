//! Tables, indexes, and what each role may do with them. Not when they are made, which is `migrate`'s.

/// The version of the tables that this library writes.
pub const SCHEMA_VERSION: i32 = 1;

/// Step `n` leads from version `n` to `n + 1`.
pub(crate) const STEPS: [&str; 1] = [VERSION_1];

/// Most characters of a name that an index holds: longer ones are no keys of a B-tree.
pub(crate) const INDEXED: usize = 200;

const VERSION_1: &str = r#"
CREATE TABLE meta (
    name TEXT COLLATE "C" PRIMARY KEY,
    value TEXT NOT NULL
);

-- A count that has no holes: of stops ever made.
CREATE TABLE counters (
    name TEXT COLLATE "C" PRIMARY KEY,
    value BIGINT NOT NULL
);
INSERT INTO counters (name, value) VALUES ('stops', 0);

-- The last event of each chain, under the gate's key. The row is locked while its chain grows.
CREATE TABLE chains (
    name TEXT COLLATE "C" PRIMARY KEY,
    seq BIGINT NOT NULL,
    link TEXT NOT NULL,
    seal TEXT NOT NULL
);

-- The last commit of each writer, so that one whose answer was lost can be asked for.
CREATE TABLE batches (
    id TEXT COLLATE "C" PRIMARY KEY,
    at TIMESTAMPTZ NOT NULL DEFAULT now()
);

-- Until when who owns running calls counts as living, by this server's clock.
CREATE TABLE leases (
    holder TEXT COLLATE "C" PRIMARY KEY,
    until_ms BIGINT NOT NULL
);

-- `id` gives the order in which calls came. `owner` matters while the call is RUNNING.
CREATE TABLE calls (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    call_id TEXT COLLATE "C" NOT NULL UNIQUE,
    session TEXT NOT NULL,
    task TEXT NOT NULL,
    tool TEXT NOT NULL,
    code TEXT NOT NULL,
    state TEXT NOT NULL,
    received_ms BIGINT NOT NULL,
    owner TEXT COLLATE "C" NOT NULL,
    record TEXT NOT NULL,
    tenant TEXT NOT NULL,
    turn BIGINT,
    tainted BOOLEAN NOT NULL
);
CREATE INDEX calls_session ON calls (left(session, 200), id);
CREATE INDEX calls_task ON calls (left(task, 200), id);
CREATE INDEX calls_tool ON calls (left(tool, 200), id);
CREATE INDEX calls_received ON calls (received_ms);
-- What nearly all calls have is found by walking the table, and needs no index.
CREATE INDEX calls_code ON calls (code, id) WHERE code <> 'OK';
CREATE INDEX calls_state ON calls (state, id) WHERE state <> 'SUCCEEDED';
CREATE INDEX calls_running ON calls (owner) WHERE state = 'RUNNING';

-- Append-only. `body` is the text that `link` covers. `id` gives the order among chains.
CREATE TABLE events (
    chain TEXT COLLATE "C" NOT NULL,
    seq BIGINT NOT NULL,
    id BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE,
    call_id TEXT COLLATE "C" NOT NULL,
    kind TEXT NOT NULL,
    at_ms BIGINT NOT NULL,
    body TEXT NOT NULL,
    link TEXT NOT NULL,
    PRIMARY KEY (chain, seq)
);
CREATE INDEX events_call ON events (call_id);

-- `seal` marks a row under the gate's key: who writes one without it is found out.
CREATE TABLE keys (
    key TEXT COLLATE "C" PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    tool TEXT NOT NULL,
    call_id TEXT NOT NULL,
    state TEXT NOT NULL,
    idempotent BOOLEAN NOT NULL,
    attempts BIGINT NOT NULL,
    fence BIGINT NOT NULL,
    owner TEXT COLLATE "C" NOT NULL,
    claimed_ms BIGINT NOT NULL,
    settled_ms BIGINT,
    seal TEXT NOT NULL
);
CREATE INDEX keys_running ON keys (owner) WHERE state = 'running';
CREATE INDEX keys_open ON keys (call_id) WHERE state = 'in_doubt';

-- `rest` holds what nobody looks for, as JSON.
CREATE TABLE tickets (
    position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    call_id TEXT NOT NULL,
    tool TEXT NOT NULL,
    digest TEXT COLLATE "C" NOT NULL,
    session TEXT NOT NULL,
    task TEXT NOT NULL,
    state TEXT NOT NULL,
    created_ms BIGINT NOT NULL,
    expires_ms BIGINT NOT NULL,
    sealed BYTEA NOT NULL,
    rest TEXT NOT NULL,
    seal TEXT NOT NULL
);
CREATE INDEX tickets_session ON tickets (left(session, 200));
CREATE INDEX tickets_digest ON tickets (digest);
CREATE INDEX tickets_state ON tickets (state) WHERE state <> 'spent';

CREATE TABLE outcomes (
    position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session TEXT NOT NULL,
    task TEXT NOT NULL,
    tool TEXT NOT NULL,
    call_id TEXT NOT NULL,
    at_ms BIGINT NOT NULL,
    ok BOOLEAN NOT NULL,
    facts BYTEA NOT NULL
);
CREATE INDEX outcomes_of ON outcomes (left(session, 200), left(task, 200), left(tool, 200), position);

CREATE TABLE results (
    call_id TEXT COLLATE "C" PRIMARY KEY,
    session TEXT NOT NULL,
    sealed BYTEA NOT NULL
);

CREATE TABLE stops (
    id BIGINT PRIMARY KEY,
    session TEXT NOT NULL,
    task TEXT NOT NULL,
    tool TEXT NOT NULL,
    reach TEXT NOT NULL,
    call_id TEXT NOT NULL,
    at_ms BIGINT NOT NULL,
    resumed_by TEXT,
    resumed_ms BIGINT
);
CREATE INDEX stops_open ON stops (left(session, 200)) WHERE resumed_ms IS NULL;
"#;

/// What the gate needs, and no more: it may add events, never change or remove one. What it may remove is what it lets go
/// of when it is old, which its events tell.
pub(crate) fn grants_of_gate(schema: &str, role: &str) -> String {
    format!(
        "GRANT USAGE ON SCHEMA {schema} TO {role};
         REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM {role};
         GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {role};
         GRANT INSERT ON {schema}.events, {schema}.outcomes TO {role};
         GRANT INSERT, UPDATE ON {schema}.chains, {schema}.calls, {schema}.keys, {schema}.tickets, {schema}.results, \
         {schema}.stops TO {role};
         GRANT UPDATE ON {schema}.counters TO {role};
         GRANT INSERT, DELETE ON {schema}.batches TO {role};
         GRANT INSERT, UPDATE, DELETE ON {schema}.leases TO {role};
         GRANT DELETE ON {schema}.results, {schema}.tickets, {schema}.outcomes TO {role};"
    )
}

/// What an auditor needs.
pub(crate) fn grants_of_reader(schema: &str, role: &str) -> String {
    format!(
        "GRANT USAGE ON SCHEMA {schema} TO {role};
         REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM {role};
         GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {role};"
    )
}
