//! Credentials that the host has at hand, for tests and for values from its own configuration.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::broker::{BrokerError, CredentialBroker, CredentialRequest, Issued};
use super::value::Secret;
use crate::tool::BoxFuture;

/// Gives values that were said before. Each stands in memory as long as this broker does.
#[derive(Debug, Clone, Default)]
pub struct FixedCredentials {
    values: BTreeMap<String, Arc<Secret>>,
}

impl FixedCredentials {
    /// Without any value.
    pub fn new() -> Self {
        Self::default()
    }

    /// The credential of this name has this value.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.values.insert(name.into(), Arc::new(Secret::new(value)));
        self
    }
}

impl CredentialBroker for FixedCredentials {
    fn issue<'a>(&'a self, request: &'a CredentialRequest) -> BoxFuture<'a, Result<Issued, BrokerError>> {
        let value = self.values.get(&request.name).ok_or_else(|| BrokerError::unknown(&request.name));
        Box::pin(async move { Ok(Issued::new("fixed", Secret::new(value?.expose()))) })
    }
}
