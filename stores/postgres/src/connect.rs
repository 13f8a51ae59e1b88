//! The URL of a database as it may be used, and connections to it. Never plain over a network unless the URL
//! says so.

use std::time::Duration;

use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres::{Client, Config, NoTls};
use toolgate_core::store::{StoreError, StoreFault};

use crate::fault;

/// Where the database is, and the schema in it.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    config: Config,
    schema: String,
}

fn refused(text: impl Into<String>) -> StoreError {
    fault::error(StoreFault::Io, text)
}

fn is_here(host: &Host) -> bool {
    match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            name == "localhost" || name.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
        }
    }
}

/// Whether the connection may be plain: on this host, or because the URL says so.
fn check_plain(config: &Config) -> Result<(), StoreError> {
    let is_here =
        config.get_hostaddrs().iter().all(std::net::IpAddr::is_loopback) && config.get_hosts().iter().all(is_here);
    match config.get_ssl_mode() {
        SslMode::Disable => Ok(()),
        SslMode::Prefer if is_here => Ok(()),
        SslMode::Prefer => Err(refused(
            "this build speaks no TLS, so a connection over a network would be plain; reach the server through a local \
             socket or a tunnel, or say `sslmode=disable` in the URL where the network is trusted",
        )),
        _ => Err(refused(
            "the URL asks for TLS, which this build doesn't speak; reach the server through a local socket or a tunnel, \
             or say `sslmode=disable` in the URL where the network is trusted",
        )),
    }
}

fn check_schema(schema: &str) -> Result<(), StoreError> {
    let begins = schema.starts_with(|first: char| first.is_ascii_lowercase() || first == '_');
    let rest = schema.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if begins && rest && schema.len() <= 63 && !schema.starts_with("pg_") {
        return Ok(());
    }
    Err(refused("the name of a schema is made of lower-case letters, digits and `_`, and doesn't begin with `pg_`"))
}

impl Place {
    /// Reads a URL such as `postgres://gate@db.example/agents`.
    pub(crate) fn read(url: &str, schema: &str, wait: Duration) -> Result<Self, StoreError> {
        check_schema(schema)?;
        // The parser's words may hold a part of the URL, and so the password.
        let mut config: Config = url.parse().map_err(|_| refused("the URL of the database can't be read"))?;
        check_plain(&config)?;
        config.ssl_mode(SslMode::Disable);
        if config.get_application_name().is_none() {
            config.application_name("toolgate");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(wait);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(wait);
        }
        Ok(Self { config, schema: schema.to_owned() })
    }

    pub(crate) fn schema(&self) -> &str {
        &self.schema
    }

    /// For the operator: no password.
    pub(crate) fn shown(&self) -> String {
        let hosts = self.config.get_hosts().iter().map(|host| match host {
            Host::Tcp(name) => name.clone(),
            Host::Unix(path) => path.display().to_string(),
        });
        let hosts: Vec<String> = hosts.collect();
        let database = self.config.get_dbname().or(self.config.get_user()).unwrap_or_default();
        format!("postgres {} database {database} schema {}", hosts.join(","), self.schema)
    }

    /// With settings that every session of this kind has from its start.
    fn with(&self, settings: &str) -> Config {
        let mut config = self.config.clone();
        let before = self.config.get_options().unwrap_or_default();
        config.options(format!("{before} -c search_path={} -c client_min_messages=warning {settings}", self.schema));
        config
    }

    /// For an auditor's reading, also from a standby.
    pub(crate) fn for_audit(&self) -> Config {
        self.with("-c default_transaction_read_only=on")
    }

    /// For a gate's reading, from where it writes: a standby may be behind.
    pub(crate) fn for_reading(&self) -> Config {
        let mut config = self.with("");
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        config
    }

    /// A connection that writes. A statement of it waits no longer than `wait` for a lock.
    pub(crate) async fn for_writing(&self, wait: Duration) -> Result<Client, StoreError> {
        let ms = wait.as_millis().max(1);
        let mut config = self.with(&format!("-c lock_timeout={ms} -c idle_in_transaction_session_timeout=60000"));
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        let (client, connection) = config.connect(NoTls).await.map_err(|error| fault::of_postgres(&error))?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection to the store ended");
            }
        });
        Ok(client)
    }
}
