//! The rules of hosts, as the host program writes them: which name, scheme and port, and in which networks its
//! addresses may lie.
//!
//! Not the question whether a URL may be reached, which all rules of a task answer together.

use std::fmt;
use std::net::IpAddr;

use super::address::{Networks, Range};
use super::host::{self, UrlHost};
use super::suffix;
use super::url::{HttpUrl, UrlScheme};

/// What a rule is about.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Pattern {
    Name(String),
    /// Any name with at least one label in front of this.
    Beneath(String),
    Address(IpAddr),
}

/// A host that may be reached: `https` on its usual port and at public addresses, unless it says otherwise.
///
/// ```
/// use toolgate_core::resource::HostRule;
///
/// let api = HostRule::new("api.example.com")?;
/// let intranet = HostRule::new("*.internal.example.com:8443")?.networks(["10.20.0.0/16"])?;
/// assert!(HostRule::new("*").is_err());
/// # Ok::<(), toolgate_core::resource::HostRuleError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostRule {
    pattern: Pattern,
    scheme: UrlScheme,
    /// The port, where it isn't the scheme's own.
    port: Option<u16>,
    networks: Networks,
}

/// Why a text is no rule of hosts; for who wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostRuleError {
    given: String,
    reason: &'static str,
}

impl HostRuleError {
    fn new(given: &str, reason: &'static str) -> Self {
        Self { given: given.to_owned(), reason }
    }

    /// The stable code.
    pub const fn code(&self) -> &'static str {
        "policy.bad_pattern"
    }
}

impl fmt::Display for HostRuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no rule of hosts: {}", self.given, self.reason)
    }
}

impl std::error::Error for HostRuleError {}

impl HostRule {
    /// A name such as `api.example.com`, or `*.example.com` for all names with at least one label more; `:8443` after
    /// it for another port. In punycode; case doesn't matter.
    ///
    /// # Errors
    /// The text is none of these, or stands for everybody's names.
    pub fn new(pattern: &str) -> Result<Self, HostRuleError> {
        let wrong = |reason| HostRuleError::new(pattern, reason);
        if pattern.contains('/') {
            return Err(wrong("a rule names a host, not a URL; leave scheme and path out"));
        }
        let (name, port) = pattern.split_once(':').map_or((pattern, None), |(name, port)| (name, Some(port)));
        let port = match port {
            None => None,
            Some(digits) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                let port = digits.parse().ok().filter(|port| *port > 0);
                Some(port.ok_or_else(|| wrong("a port is a number from 1 to 65535"))?)
            }
            Some(_) => return Err(wrong("after the `:` stands a port; addresses have rules of their own")),
        };
        let lower = name.to_ascii_lowercase();
        let name = lower.strip_suffix('.').unwrap_or(&lower);
        let pattern = match name.strip_prefix("*.") {
            Some(suffix) => Pattern::Beneath(name_of(suffix).map_err(wrong)?),
            None => Pattern::Name(name_of(name).map_err(wrong)?),
        };
        match &pattern {
            Pattern::Beneath(suffix) if suffix::is_shared(suffix) => {
                Err(wrong("anybody can have a name under this; name one label more"))
            }
            _ => Ok(Self { pattern, scheme: UrlScheme::Https, port, networks: Networks::PUBLIC }),
        }
    }

    /// An address in place of a name, which a URL must name as it is. It is the only network of the rule.
    pub fn address(address: IpAddr) -> Self {
        let networks = Networks { public: false, ranges: vec![Range::one(address)] };
        Self { pattern: Pattern::Address(address.to_canonical()), scheme: UrlScheme::Https, port: None, networks }
    }

    /// Over `http`, in plain text, and not over `https`.
    #[must_use]
    pub fn plain_http(mut self) -> Self {
        self.scheme = UrlScheme::Http;
        self
    }

    /// On this port.
    #[must_use]
    pub fn port(mut self, port: u16) -> Self {
        self.port = Some(port);
        self
    }

    /// Where the name's addresses may lie, all of them: `public`, ranges such as `10.20.0.0/16`, or addresses. This is
    /// how hosts of a network of one's own are reached.
    ///
    /// # Errors
    /// None of these, or a range that is no network; no networks at all.
    pub fn networks(mut self, networks: impl IntoIterator<Item = impl AsRef<str>>) -> Result<Self, HostRuleError> {
        let mut named = Networks { public: false, ranges: Vec::new() };
        for network in networks {
            match network.as_ref() {
                "public" => named.public = true,
                text => named.ranges.push(Range::parse(text).map_err(|reason| HostRuleError::new(text, reason))?),
            }
        }
        if !named.public && named.ranges.is_empty() {
            return Err(HostRuleError::new("", "a rule without networks reaches nothing; leave them out for `public`"));
        }
        self.networks = named;
        Ok(self)
    }

    /// The schemes and ports it speaks, and its host.
    pub(super) fn matches(&self, url: &HttpUrl) -> bool {
        self.is_scheme(url) && self.is_host(url) && self.is_port(url)
    }

    pub(super) fn is_scheme(&self, url: &HttpUrl) -> bool {
        self.scheme == url.scheme()
    }

    pub(super) fn is_port(&self, url: &HttpUrl) -> bool {
        self.port.unwrap_or(self.scheme.default_port()) == url.port()
    }

    pub(super) fn is_host(&self, url: &HttpUrl) -> bool {
        match (&self.pattern, url.host()) {
            (Pattern::Name(name), UrlHost::Name(host)) => name == host,
            (Pattern::Beneath(suffix), UrlHost::Name(host)) => host
                .strip_suffix(suffix.as_str())
                .and_then(|front| front.strip_suffix('.'))
                .is_some_and(|front| !front.is_empty()),
            (Pattern::Address(address), UrlHost::Address(host)) => address == host,
            _ => false,
        }
    }

    pub(super) fn allows_address(&self, address: IpAddr) -> bool {
        self.networks.allow(address)
    }
}

/// A name without a star.
fn name_of(text: &str) -> Result<String, &'static str> {
    if text.contains('*') {
        return Err("a `*` stands for whole labels in front of a name: `*.example.com`");
    }
    if !text.is_ascii() {
        return Err("names are written in punycode");
    }
    if !text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.')) {
        return Err("a name has letters, digits, `-` and `_`, and dots between its labels");
    }
    if host::ends_in_number(text) {
        return Err("an address has a rule of its own: `HostRule::address`");
    }
    host::check_name(text).map_err(|_| "a name has labels of 1 to 63 characters, 253 in all, and valid punycode")?;
    Ok(text.to_owned())
}

impl fmt::Display for HostRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://", self.scheme.as_str())?;
        match &self.pattern {
            Pattern::Name(name) => f.write_str(name)?,
            Pattern::Beneath(suffix) => write!(f, "*.{suffix}")?,
            Pattern::Address(address) => UrlHost::Address(*address).fmt(f)?,
        }
        match self.port {
            Some(port) => write!(f, ":{port}"),
            None => Ok(()),
        }
    }
}

impl HostRule {
    /// As it is shown, with its networks where they are others than the public ones: `https://db.example.com in 10.0.0.0/8`.
    #[cfg(feature = "policy-file")]
    pub(crate) fn told(&self) -> String {
        let is_address = matches!(self.pattern, Pattern::Address(_));
        let networks = self.networks.told();
        if is_address || networks == "public" { self.to_string() } else { format!("{self} in {networks}") }
    }
}

/// What stands in a list of hosts: a rule, or a pattern that is read as one. What can't be read is told when the session
/// is opened; in a narrowing, it lets nothing through.
#[derive(Debug, Clone)]
pub struct HostEntry(pub(super) Result<HostRule, HostRuleError>);

impl From<&str> for HostEntry {
    fn from(pattern: &str) -> Self {
        Self(HostRule::new(pattern))
    }
}

impl From<String> for HostEntry {
    fn from(pattern: String) -> Self {
        Self(HostRule::new(&pattern))
    }
}

impl From<&String> for HostEntry {
    fn from(pattern: &String) -> Self {
        Self(HostRule::new(pattern))
    }
}

impl From<HostRule> for HostEntry {
    fn from(rule: HostRule) -> Self {
        Self(Ok(rule))
    }
}
