//! Who issues credentials: the host's side, asked once for a tool, a task and a name. Not who may ask.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::time::Duration;

use super::value::Secret;
use crate::tool::BoxFuture;

/// Issues credentials for tools. The gate asks only for what the session's capabilities grant, at most once
/// at a time for a task, a tool and a name, and bounds how long it waits.
///
/// A broker that can make a credential for one purpose and a short time does so from what the request
/// says. One that only has a long-lived value, as the built-in ones for environment and files do, hands that
/// out: then it is as strong as it is, and only who gets it, and for how long it is kept, is narrow.
pub trait CredentialBroker: Send + Sync {
    /// Issues the credential that is asked for.
    ///
    /// # Errors
    /// When it has none of that name, or can't issue one now. The operator reads why, the model doesn't.
    fn issue<'a>(&'a self, request: &'a CredentialRequest) -> BoxFuture<'a, Result<Issued, BrokerError>>;
}

/// What is asked for, for whom. All of it comes from the host and from the tool's code, nothing from a model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CredentialRequest {
    /// The name of the credential.
    pub name: String,
    /// The tool that asks, by its name on the wire.
    pub tool: String,
    /// The call in which it asks.
    pub call_id: String,
    /// The session.
    pub session: String,
    /// The task inside it.
    pub task: String,
    /// The kind of task.
    pub task_type: String,
    /// The agent.
    pub principal: String,
    /// On whose behalf.
    pub user: Option<String>,
    /// How long it should be good for; it is not used longer.
    pub lifetime: Duration,
}

/// An issued credential.
#[derive(Debug)]
#[must_use = "a credential is issued by giving it to the gate"]
pub struct Issued {
    pub(crate) broker: Cow<'static, str>,
    pub(crate) secret: Secret,
    pub(crate) lifetime: Option<Duration>,
}

impl Issued {
    /// By the broker of this name, which stands in records; good for as long as was asked for.
    pub fn new(broker: impl Into<Cow<'static, str>>, secret: Secret) -> Self {
        Self { broker: broker.into(), secret, lifetime: None }
    }

    /// Good for so long from now on.
    pub fn expires_in(mut self, lifetime: Duration) -> Self {
        self.lifetime = Some(lifetime);
        self
    }
}

/// Why no credential was issued. Its text is for the operator only.
#[derive(Debug)]
pub struct BrokerError {
    unknown: bool,
    retryable: bool,
    source: Box<dyn Error + Send + Sync>,
}

impl BrokerError {
    /// It can't be issued, and trying again doesn't help.
    pub fn new(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { unknown: false, retryable: false, source: source.into() }
    }

    /// The broker has no credential of that name.
    pub fn unknown(name: &str) -> Self {
        Self { unknown: true, ..Self::new(format!("the broker has no credential `{name}`")) }
    }

    /// Says that trying again can help.
    #[must_use]
    pub fn retryable(mut self) -> Self {
        self.retryable = true;
        self
    }

    /// Whether the broker has none of that name.
    pub fn is_unknown(&self) -> bool {
        self.unknown
    }

    /// Whether trying again can help.
    pub fn is_retryable(&self) -> bool {
        self.retryable
    }
}

impl fmt::Display for BrokerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.source.fmt(f)
    }
}

impl Error for BrokerError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.source()
    }
}
