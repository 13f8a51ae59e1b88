//! Credentials that a running tool asks for, by name. Not who may have them, nor where they come from.

use super::context::Context;
use super::error::ToolError;
use super::invocation::BoxFuture;
use crate::call::Code;
use crate::credential::Credential;

/// Where the credentials of a running tool come from: the gate that runs it, or in unit tests a list.
pub trait CredentialSource: Send + Sync {
    /// The credential of this name.
    fn credential(&self, name: &str) -> BoxFuture<'static, Result<Credential, ToolError>>;

    /// As [`Self::credential`], on a thread that may wait.
    fn credential_blocking(&self, name: &str) -> Result<Credential, ToolError>;
}

impl Context {
    /// The credential of this name, issued for this tool and this task. Ask for it in each call, where it is
    /// used: it is the same until it expires, and ends with the task.
    ///
    /// The session's capabilities must grant the name to this tool, and the host must have a broker. The
    /// value is known to redaction before it gets here: in results, errors and records it is masked.
    ///
    /// # Errors
    /// When it isn't granted, or can't be issued; without an effect, and with a text that is safe for the
    /// model. What the tool did before, it must say with [`ToolError::with_effect`].
    pub async fn credential(&self, name: &str) -> Result<Credential, ToolError> {
        match self.credentials() {
            Some(source) => source.credential(name).await,
            None => Err(not_given()),
        }
    }

    /// As [`Context::credential`], for a sync tool.
    ///
    /// # Errors
    /// As [`Context::credential`], and in an async tool, which would keep a thread of the runtime from its
    /// work.
    pub fn credential_blocking(&self, name: &str) -> Result<Credential, ToolError> {
        match self.credentials() {
            Some(source) => source.credential_blocking(name),
            None => Err(not_given()),
        }
    }
}

fn not_given() -> ToolError {
    let text = "there is no broker behind this context: say with `TestContext::credential` what it gives";
    ToolError::refusal(Code::PermissionDenied, "credential.no_broker", text)
}
