//! Why a session can't be opened.

use std::fmt;

use crate::resource::HostRuleError;

/// Why a session can't be opened; for the host program.
#[derive(Debug)]
#[non_exhaustive]
pub enum SessionError {
    /// One of the hosts it may reach is no rule.
    Host(HostRuleError),
    /// The operating system gives no randomness for a name.
    NoRandomness(getrandom::Error),
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host(error) => error.fmt(f),
            Self::NoRandomness(error) => write!(f, "no randomness for the name of a session: {error}"),
        }
    }
}

impl std::error::Error for SessionError {}

impl From<getrandom::Error> for SessionError {
    fn from(error: getrandom::Error) -> Self {
        Self::NoRandomness(error)
    }
}
