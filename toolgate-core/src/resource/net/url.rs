//! A URL of HTTP, read once: the argument of tools that reach the network, and what the client takes.
//!
//! Not the reading itself, which is in `read.rs`, nor whether it may be reached.

use std::fmt;

use super::error::NetError;
use super::host::UrlHost;
use super::read;

/// How a host is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UrlScheme {
    /// `http`: in plain text.
    Http,
    /// `https`: encrypted.
    Https,
}

impl UrlScheme {
    /// As it stands in a URL.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }

    /// The port where none is said.
    pub const fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

/// A URL of scheme `http` or `https`.
///
/// It is read by one strict reader: what needs repair, or is read differently by different parsers, is none. Equal but
/// for the letter case of scheme and host, a final dot of the host, or a port that is the usual one, it is the same URL,
/// and [`as_str`](Self::as_str) is its one spelling. As an argument of a tool it names a host that the task may reach;
/// what the name leads to is looked at when it is used.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HttpUrl {
    pub(super) text: String,
    pub(super) scheme: UrlScheme,
    pub(super) host: UrlHost,
    pub(super) port: u16,
    /// Where path, query and fragment begin in the text.
    pub(super) path_at: usize,
}

impl HttpUrl {
    /// Reads a URL. Whether it may be reached is for [`Hosts`](super::Hosts) to say.
    ///
    /// # Errors
    /// The text is no URL, or not in its canonical spelling.
    pub fn parse(text: &str) -> Result<Self, NetError> {
        read::read(text).and_then(read::Reading::canonical)
    }

    /// The one spelling of it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Its scheme.
    pub const fn scheme(&self) -> UrlScheme {
        self.scheme
    }

    /// Its host.
    pub const fn host(&self) -> &UrlHost {
        &self.host
    }

    /// Its port, also where it isn't said.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Scheme, host and port: what another URL has in common with it that is of the same origin.
    pub fn origin(&self) -> (UrlScheme, &UrlHost, u16) {
        (self.scheme, &self.host, self.port)
    }

    /// Path and query, percent-encoded as they stand.
    pub fn path_and_query(&self) -> &str {
        let rest = self.text.get(self.path_at..).unwrap_or_default();
        rest.split('#').next().unwrap_or(rest)
    }

    /// The path, percent-encoded as it stands.
    pub fn path(&self) -> &str {
        let rest = self.path_and_query();
        rest.split('?').next().unwrap_or(rest)
    }

    /// What follows the `?`, percent-encoded as it stands.
    pub fn query(&self) -> Option<&str> {
        self.path_and_query().split_once('?').map(|(_, query)| query)
    }
}

impl fmt::Display for HttpUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::str::FromStr for HttpUrl {
    type Err = NetError;

    fn from_str(text: &str) -> Result<Self, NetError> {
        Self::parse(text)
    }
}
