//! Makes the tables and brings them up to date, by one opener at a time; ties a new database to its key. A
//! schema of another program or of a newer version is refused before anything in it changes.

use std::time::Duration;

use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, GenericClient, Transaction};
use toolgate_core::keys::GateKey;
use toolgate_core::store::{StoreError, StoreFault};

use crate::connect::Place;
use crate::options::KeySource;
use crate::schema::{SCHEMA_VERSION, STEPS, grants_of_gate, grants_of_reader};
use crate::{PostgresOptions, fault};

/// How long a migration waits for another.
const WAIT: Duration = Duration::from_mins(1);

/// What a schema is to this library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Nothing is in it yet, or it isn't there.
    Empty,
    /// Of this version, from 1, and the check of its key.
    Version(i32, String),
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that `map_err` takes")]
fn of_postgres(error: tokio_postgres::Error) -> StoreError {
    fault::of_postgres(&error)
}

/// What the schema is.
///
/// # Errors
/// [`StoreFault::Corrupt`] for a schema of another program, of a newer version, or without a key.
pub(crate) async fn standing(client: &impl GenericClient, schema: &str) -> Result<Standing, StoreError> {
    let sql = "SELECT count(*), count(*) FILTER (WHERE c.relname = 'meta'), current_setting('server_encoding') \
               FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1";
    let row = client.query_one(sql, &[&schema]).await.map_err(of_postgres)?;
    let (objects, meta, encoding): (i64, i64, String) = (row.get(0), row.get(1), row.get(2));
    if encoding != "UTF8" {
        let text = format!("the database has the encoding {encoding}, and texts of models need UTF8");
        return Err(fault::error(StoreFault::Corrupt, text));
    }
    if objects == 0 {
        return Ok(Standing::Empty);
    }
    let foreign = || {
        fault::error(
            StoreFault::Corrupt,
            format!("the schema `{schema}` holds tables of another program; use another schema"),
        )
    };
    if meta == 0 {
        return Err(foreign());
    }
    let sql = format!(
        "SELECT name, value FROM {}.meta WHERE name IN ('application', 'version', 'key_check')",
        quoted(schema)
    );
    let rows = client.query(&sql, &[]).await.map_err(|error| match error.code() {
        Some(&SqlState::INSUFFICIENT_PRIVILEGE) => of_postgres(error),
        _ if fault::is_lost(&error) => of_postgres(error),
        _ => foreign(),
    })?;
    let value = |wanted: &str| {
        let found = rows.iter().find(|row| row.try_get::<_, String>(0).is_ok_and(|name| name == wanted));
        found.and_then(|row| row.try_get::<_, String>(1).ok())
    };
    if value("application").as_deref() != Some("toolgate") {
        return Err(foreign());
    }
    let version = value("version").and_then(|version| version.parse().ok()).unwrap_or_default();
    if !(1..=SCHEMA_VERSION).contains(&version) {
        let text =
            format!("the tables have version {version}, this library knows 1 to {SCHEMA_VERSION}; use a newer one");
        return Err(fault::error(StoreFault::Corrupt, text));
    }
    let check = value("key_check")
        .ok_or_else(|| fault::error(StoreFault::Corrupt, "the database doesn't say which key it was written with"))?;
    Ok(Standing::Version(version, check))
}

fn key_check(key: &GateKey) -> String {
    key.digest("toolgate.key-check.v1", &[])
}

/// The key of a database that was written with one.
pub(crate) fn checked_key(source: &KeySource, check: &str) -> Result<GateKey, StoreError> {
    let key = source.read(false)?;
    if key_check(&key) == check {
        return Ok(key);
    }
    Err(fault::error(StoreFault::Corrupt, format!("the key ({}) belongs to another database", source.place())))
}

/// Brings the schema to [`SCHEMA_VERSION`] where it isn't, and gives the key.
pub(crate) async fn migrate(client: &mut Client, schema: &str, source: &KeySource) -> Result<GateKey, StoreError> {
    if let Standing::Version(SCHEMA_VERSION, check) = standing(client, schema).await? {
        return checked_key(source, &check);
    }
    let frame = client.transaction().await.map_err(of_postgres)?;
    let wait = format!("SET LOCAL lock_timeout = '{}s'", WAIT.as_secs());
    frame.batch_execute(&wait).await.map_err(of_postgres)?;
    let lock = "SELECT pg_advisory_xact_lock(hashtextextended('toolgate:migrate:' || $1, 0))";
    frame.execute(lock, &[&schema]).await.map_err(of_postgres)?;
    let key = migrate_within(&frame, schema, source).await?;
    frame.commit().await.map_err(of_postgres)?;
    Ok(key)
}

async fn migrate_within(frame: &Transaction<'_>, schema: &str, source: &KeySource) -> Result<GateKey, StoreError> {
    // Asked again: another may have been first.
    let (before, key) = match standing(frame, schema).await? {
        Standing::Empty => (0, source.read(true)?),
        Standing::Version(version, check) => (version, checked_key(source, &check)?),
    };
    if before == SCHEMA_VERSION {
        return Ok(key);
    }
    if before == 0 {
        make_schema(frame, schema).await?;
    }
    frame.batch_execute(&format!("SET LOCAL search_path = {}", quoted(schema))).await.map_err(of_postgres)?;
    let done = usize::try_from(before).unwrap_or_default();
    for step in STEPS.iter().skip(done) {
        frame.batch_execute(step).await.map_err(of_postgres)?;
    }
    if before == 0 {
        let insert =
            "INSERT INTO meta (name, value) VALUES ('application', 'toolgate'), ('version', ''), ('key_check', $1)";
        frame.execute(insert, &[&key_check(&key)]).await.map_err(of_postgres)?;
    }
    let update = "UPDATE meta SET value = $1 WHERE name = 'version'";
    frame.execute(update, &[&SCHEMA_VERSION.to_string()]).await.map_err(of_postgres)?;
    Ok(key)
}

/// A schema that is there already needs no right to make one.
async fn make_schema(frame: &Transaction<'_>, schema: &str) -> Result<(), StoreError> {
    let sql = "SELECT count(*) FROM pg_namespace WHERE nspname = $1";
    let there: i64 = frame.query_one(sql, &[&schema]).await.map_err(of_postgres)?.get(0);
    if there == 0 {
        frame.batch_execute(&format!("CREATE SCHEMA {}", quoted(schema))).await.map_err(of_postgres)?;
    }
    Ok(())
}

/// Makes the tables as their owner, and says which other roles may use them. A store that is opened by the
/// owner does the first part by itself; a gate should run with a role of less rights.
#[derive(Debug, Clone)]
#[must_use = "nothing is made until it is run"]
pub struct Migration {
    url: String,
    options: PostgresOptions,
    gate_role: Option<String>,
    reader_role: Option<String>,
}

impl Migration {
    /// Of the database at this URL, whose role may make tables.
    pub fn new(url: impl Into<String>, options: PostgresOptions) -> Self {
        Self { url: url.into(), options, gate_role: None, reader_role: None }
    }

    /// The role of gates: it may add events and never change or remove one.
    pub fn gate_role(mut self, role: impl Into<String>) -> Self {
        self.gate_role = Some(role.into());
        self
    }

    /// The role of auditors: it may only read.
    pub fn reader_role(mut self, role: impl Into<String>) -> Self {
        self.reader_role = Some(role.into());
        self
    }

    /// Does it, in one transaction for the tables and one for the roles. Run again, it changes nothing. Needs a
    /// tokio runtime.
    ///
    /// # Errors
    /// As [`PostgresStore::open`](crate::PostgresStore::open), and the server's where a role doesn't exist or may not be
    /// granted.
    pub async fn run(self) -> Result<(), StoreError> {
        let Self { url, options, gate_role, reader_role } = self;
        let place = Place::read(&url, &options.schema, options.wait)?;
        let mut client = place.for_writing(options.wait).await?;
        migrate(&mut client, place.schema(), &options.key).await?;
        let mut sql = String::new();
        if let Some(role) = gate_role {
            sql.push_str(&grants_of_gate(&quoted(place.schema()), &quoted(&role)));
        }
        if let Some(role) = reader_role {
            sql.push_str(&grants_of_reader(&quoted(place.schema()), &quoted(&role)));
        }
        // Several statements in one message are one transaction.
        client.batch_execute(&sql).await.map_err(of_postgres)
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
