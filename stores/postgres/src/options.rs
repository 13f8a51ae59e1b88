//! How a store is opened, and where its key comes from.

use std::path::PathBuf;
use std::time::Duration;

use toolgate_core::key_file;
use toolgate_core::keys::GateKey;
use toolgate_core::store::{StoreError, StoreFault};

use crate::fault;

/// Where the gate's key is kept: never in the database. All gates over one database have the same.
#[derive(Debug, Clone)]
pub enum KeySource {
    /// A file of 64 hex digits with mode 600. Made for a new database; a database that has a key needs its file.
    File(PathBuf),
    /// A variable of the environment that holds 64 hex digits.
    Environment(String),
    /// This one.
    Given(GateKey),
}

impl KeySource {
    /// Gives the key; a file is made where there is none and `is_new` says that nothing was written yet.
    pub(crate) fn read(&self, is_new: bool) -> Result<GateKey, StoreError> {
        match self {
            Self::File(path) if is_new => key_file::load_or_create(path),
            Self::File(path) => key_file::load(path),
            Self::Given(key) => Ok(key.clone()),
            Self::Environment(name) => {
                let text = std::env::var(name).map_err(|_| {
                    fault::error(
                        StoreFault::Gone,
                        format!("the environment has no `{name}`, which holds the gate's key"),
                    )
                })?;
                let malformed = || format!("`{name}` in the environment doesn't hold 64 hex digits");
                key_file::parse(text.trim()).ok_or_else(|| fault::error(StoreFault::Corrupt, malformed()))
            }
        }
    }

    /// For the operator.
    pub(crate) fn place(&self) -> String {
        match self {
            Self::File(path) => format!("file {}", path.display()),
            Self::Environment(name) => format!("environment {name}"),
            Self::Given(_) => "given by the program".to_owned(),
        }
    }
}

/// How a store is opened.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PostgresOptions {
    /// Where the gate's key is.
    pub key: KeySource,
    /// The schema that holds the tables: lower-case letters, digits and `_`; `toolgate`.
    pub schema: String,
    /// Prefix of the names of chains; `gate`. A store takes the first of `gate-1`, `gate-2`, .. that no other store
    /// has, and goes on with it.
    pub chain: String,
    /// How long a write waits for other writers, or for a server that is away, before it is
    /// [`StoreFault::Busy`] or [`StoreFault::Gone`]; 5 seconds.
    pub wait: Duration,
    /// Connections that read, at least one; 4.
    pub readers: usize,
    /// Callers whose writes may wait in the queue before others wait to get into it, at least one; 1024.
    pub queue: usize,
    /// Most writes that share a commit, at least one; 256.
    pub batch: usize,
}

impl PostgresOptions {
    /// The defaults, with this key.
    pub fn new(key: KeySource) -> Self {
        Self {
            key,
            schema: "toolgate".to_owned(),
            chain: "gate".to_owned(),
            wait: Duration::from_secs(5),
            readers: 4,
            queue: 1024,
            batch: 256,
        }
    }

    /// In this schema.
    pub fn schema(mut self, schema: impl Into<String>) -> Self {
        self.schema = schema.into();
        self
    }

    /// With this prefix for the names of chains.
    pub fn chain(mut self, chain: impl Into<String>) -> Self {
        self.chain = chain.into();
        self
    }

    /// With this patience.
    pub fn wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }
}
