//! One server for all tests of a binary, and a schema or database for each.

#![expect(unreachable_pub, clippy::unwrap_used, reason = "part of a test")]

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use toolgate_core::keys::GateKey;
use toolgate_postgres::{KeySource, PostgresOptions, PostgresStore};
use toolgate_testing::PgServer;

static SERVER: OnceLock<Option<PgServer>> = OnceLock::new();
static COUNT: AtomicU32 = AtomicU32::new(0);

/// The server; `None` where PostgreSQL isn't installed.
pub fn server() -> Option<&'static PgServer> {
    SERVER.get_or_init(|| PgServer::start_with(&["max_connections=300"])).as_ref()
}

/// The key of these tests.
pub fn key() -> KeySource {
    KeySource::Given(GateKey::from_bytes([7; 32]))
}

/// A schema that no other test has.
pub fn fresh_schema() -> String {
    format!("s{}", COUNT.fetch_add(1, Ordering::SeqCst))
}

/// Options for this schema, patient.
pub fn options(schema: &str) -> PostgresOptions {
    PostgresOptions::new(key()).schema(schema).wait(Duration::from_secs(10))
}

/// A store in this schema.
pub fn open(server: &PgServer, schema: &str) -> Arc<PostgresStore> {
    Arc::new(PostgresStore::open_blocking(&server.url("postgres"), options(schema)).unwrap())
}
