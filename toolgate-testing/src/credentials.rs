//! The credentials of a context for unit tests: a list, without a broker.

use std::collections::BTreeMap;

use toolgate_core::call::Code;
use toolgate_core::credential::Credential;
use toolgate_core::tool::{BoxFuture, CredentialSource, ToolError};

/// What a tool under test may ask for.
#[derive(Debug, Clone, Default)]
pub(crate) struct GivenCredentials {
    given: BTreeMap<String, Credential>,
}

impl GivenCredentials {
    pub(crate) fn add(&mut self, name: String, value: String) {
        let credential = Credential::unissued(name.clone(), value);
        self.given.insert(name, credential);
    }
}

impl CredentialSource for GivenCredentials {
    fn credential(&self, name: &str) -> BoxFuture<'static, Result<Credential, ToolError>> {
        let given = self.credential_blocking(name);
        Box::pin(async { given })
    }

    fn credential_blocking(&self, name: &str) -> Result<Credential, ToolError> {
        self.given.get(name).cloned().ok_or_else(|| {
            let text = "the tool needs a credential that is not granted here; don't try another way, tell the user";
            let cause = format!("no credential `{name}` in this context: give it with `TestContext::credential`");
            ToolError::refusal(Code::PermissionDenied, "credential.not_granted", text).with_source(cause)
        })
    }
}
