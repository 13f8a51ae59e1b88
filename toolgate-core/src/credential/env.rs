//! Credentials from environment variables of this process.

use std::collections::BTreeMap;

use super::broker::{BrokerError, CredentialBroker, CredentialRequest, Issued};
use super::{MAX_BYTES, secret_of};
use crate::tool::BoxFuture;

/// Reads a variable each time it is asked. Other programs that this process starts have the variable too,
/// unless they get a clean environment; a file or a command keeps it from them.
#[derive(Debug, Clone, Default)]
pub struct EnvCredentials {
    variables: BTreeMap<String, String>,
}

impl EnvCredentials {
    /// Without any name.
    pub fn new() -> Self {
        Self::default()
    }

    /// The credential of this name is what this variable holds.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, variable: impl Into<String>) -> Self {
        self.variables.insert(name.into(), variable.into());
        self
    }

    fn read(&self, name: &str) -> Result<Issued, BrokerError> {
        let variable = self.variables.get(name).ok_or_else(|| BrokerError::unknown(name))?;
        let told = |what: &str| BrokerError::new(format!("the environment variable `{variable}` {what}"));
        let value = std::env::var_os(variable).ok_or_else(|| told("is not set"))?;
        let value = value.into_string().map_err(|_| told("is not UTF-8 text"))?;
        if value.len() > MAX_BYTES {
            return Err(told("is too long"));
        }
        Ok(Issued::new(format!("env:{variable}"), secret_of(value.into_bytes())?))
    }
}

impl CredentialBroker for EnvCredentials {
    fn issue<'a>(&'a self, request: &'a CredentialRequest) -> BoxFuture<'a, Result<Issued, BrokerError>> {
        Box::pin(async { self.read(&request.name) })
    }
}
