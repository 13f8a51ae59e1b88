//! Several brokers as one: each name has its own. Not a fallback: a broker that fails is not gone around.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::broker::{BrokerError, CredentialBroker, CredentialRequest, Issued};
use crate::tool::BoxFuture;

/// Asks the broker that stands for the name.
#[derive(Clone, Default)]
pub struct CredentialsByName {
    brokers: BTreeMap<String, Arc<dyn CredentialBroker>>,
}

impl CredentialsByName {
    /// Without any name.
    pub fn new() -> Self {
        Self::default()
    }

    /// This broker issues the credentials of these names.
    #[must_use]
    pub fn with(
        mut self,
        names: impl IntoIterator<Item = impl Into<String>>,
        broker: impl CredentialBroker + 'static,
    ) -> Self {
        let broker: Arc<dyn CredentialBroker> = Arc::new(broker);
        self.brokers.extend(names.into_iter().map(|name| (name.into(), Arc::clone(&broker))));
        self
    }
}

impl CredentialBroker for CredentialsByName {
    fn issue<'a>(&'a self, request: &'a CredentialRequest) -> BoxFuture<'a, Result<Issued, BrokerError>> {
        match self.brokers.get(&request.name) {
            Some(broker) => broker.issue(request),
            None => Box::pin(async { Err(BrokerError::unknown(&request.name)) }),
        }
    }
}

impl fmt::Debug for CredentialsByName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CredentialsByName").field("names", &self.brokers.keys()).finish_non_exhaustive()
    }
}
