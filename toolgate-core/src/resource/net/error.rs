//! What can be wrong with a URL, or happen on the way to what it names, as one closed table.
//!
//! Not the rules themselves: those are in `read`, `host` and `access`, and in the client.

use std::fmt;

use crate::tool::Effect;

/// Declares the faults with their code, whether trying again can help, and the model's text.
macro_rules! faults {
    ($($(#[$doc:meta])* $name:ident, $code:literal, $retryable:literal, $text:literal;)+) => {
        /// The reason a URL was turned down, or a request failed.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum NetFault { $($(#[$doc])* $name,)+ }

        impl NetFault {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The stable code, such as `net.host_not_allowed`.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)+ }
            }

            const fn is_retryable(self) -> bool {
                match self { $(Self::$name => $retryable,)+ }
            }

            const fn for_model(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }
        }
    };
}

faults! {
    /// More bytes than a URL may have.
    TooLong, "net.url_too_long", false, "the URL is too long; at most 8,192 bytes";
    /// White space or a control character.
    Whitespace, "net.whitespace", false, "the URL holds white space or control characters; remove them, or write them as `%20` and the like";
    /// A backslash.
    Backslash, "net.backslash", false, "the URL holds a backslash; use `/`, or write it as `%5C`";
    /// A character outside of ASCII.
    NotAscii, "net.not_ascii", false, "the URL holds characters outside of ASCII; write the host in punycode and the rest percent-encoded";
    /// Not a URL with a host.
    Invalid, "net.url_invalid", false, "this is not an absolute URL with a valid host and port; write it as `https://host/path`";
    /// A host name that can't be one.
    HostInvalid, "net.host_invalid", false, "the host of the URL is not a valid name; labels have 1 to 63 of `a-z`, `0-9`, `-` and `_`";
    /// Not as a parser would print it.
    NotCanonical, "net.not_canonical", false, "the URL is not in its canonical spelling; write `https://host/path` with two slashes, no `.` or `..` parts, and special characters percent-encoded";
    /// A user or password before the host.
    Userinfo, "net.userinfo", false, "the URL holds a user name or password; remove everything up to the `@`";
    /// An address in place of a name.
    IpLiteral, "net.ip_literal", false, "the URL names an IP address; use the name of an allowed host";
    /// A scheme that no rule names.
    Scheme, "net.scheme_not_allowed", false, "this scheme is not allowed here; use `https`";
    /// A host that no rule names.
    Host, "net.host_not_allowed", false, "this host may not be reached in this task";
    /// A port that no rule names.
    Port, "net.port_not_allowed", false, "this port may not be reached in this task; leave the port out";
    /// The host rules of this task can't be read.
    BadPattern, "policy.bad_pattern", false, "no host may be reached in this task, because one of its host rules can't be read";
    /// The name leads to an address that isn't meant.
    IpDenied, "net.ip_denied", false, "the host leads to a network that may not be reached from here";
    /// The name could not be looked up.
    Lookup, "net.lookup_failed", true, "the name of the host could not be looked up";
    /// Nobody answered.
    Connect, "net.connect_failed", true, "the host could not be connected";
    /// The host could not prove that it is the one named.
    Tls, "net.tls_failed", false, "no secure connection to the host could be made";
    /// Longer than the time there is.
    Timeout, "net.timeout", true, "the host took too long to answer";
    /// The connection broke, or what came was no HTTP.
    Broken, "net.broken_off", true, "the connection to the host broke off";
    /// A redirect to where this task may not go, or in a way that is never followed.
    RedirectDenied, "net.redirect_denied", false, "the host redirects to an address that may not be reached in this task";
    /// Redirects without an end.
    RedirectLimit, "net.redirect_limit", false, "the host redirects too many times";
    /// More body than the limit.
    BodyTooLarge, "net.body_too_large", false, "the answer of the host is larger than the limit";
    /// A body in a form that isn't read.
    BodyEncoded, "net.body_encoded", false, "the answer of the host is compressed in a way that is not read here";
    /// A body that is no text.
    NotText, "net.not_text", false, "the answer of the host is not UTF-8 text";
    /// A body that is no JSON of the form that the tool expects.
    NotJson, "net.not_json", false, "the answer of the host is not in the form that was expected";
    /// A request that can't be made.
    BadRequest, "net.bad_request", false, "the request could not be made; this is a fault of the tool";
    /// The client could not be set up.
    Client, "net.client_failed", false, "requests can't be made here; this is a fault of the host program";
}

/// Why a URL was turned down or a request failed, for two readers: [`NetError::for_model`] and `Display`, which with
/// the sources is for the operator.
#[derive(Debug)]
pub struct NetError {
    fault: NetFault,
    detail: String,
    effect: Effect,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl NetError {
    /// An error before anything was sent, with details for the operator.
    pub fn new(fault: NetFault, detail: impl Into<String>) -> Self {
        Self { fault, detail: detail.into(), effect: Effect::None, source: None }
    }

    /// States what became of the world.
    #[must_use]
    pub fn with_effect(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }

    /// Keeps the cause for the operator.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// The reason.
    pub const fn fault(&self) -> NetFault {
        self.fault
    }

    /// The stable code, such as `net.host_not_allowed`.
    pub const fn code(&self) -> &'static str {
        self.fault.code()
    }

    /// What became of the world: none before anything was sent that could change it.
    pub const fn effect(&self) -> Effect {
        self.effect
    }

    /// Whether the task may not do it, and nothing was sent that could change something.
    pub const fn is_refusal(&self) -> bool {
        let sent = !matches!(self.effect, Effect::None);
        !sent
            && match self.fault {
                NetFault::TooLong
                | NetFault::Whitespace
                | NetFault::Backslash
                | NetFault::NotAscii
                | NetFault::Invalid
                | NetFault::HostInvalid
                | NetFault::NotCanonical
                | NetFault::Userinfo
                | NetFault::IpLiteral
                | NetFault::Scheme
                | NetFault::Host
                | NetFault::Port
                | NetFault::BadPattern
                | NetFault::IpDenied
                | NetFault::RedirectDenied => true,
                NetFault::Lookup
                | NetFault::Connect
                | NetFault::Tls
                | NetFault::Timeout
                | NetFault::Broken
                | NetFault::RedirectLimit
                | NetFault::BodyTooLarge
                | NetFault::BodyEncoded
                | NetFault::NotText
                | NetFault::NotJson
                | NetFault::BadRequest
                | NetFault::Client => false,
            }
    }

    /// Whether the same request can succeed later, and may be made again.
    pub const fn is_retryable(&self) -> bool {
        self.fault.is_retryable() && matches!(self.effect, Effect::None)
    }

    /// The text for the model: one of a closed set, without any value or address in it.
    pub const fn for_model(&self) -> &'static str {
        self.fault.for_model()
    }
}

impl fmt::Display for NetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code(), self.detail)
    }
}

impl std::error::Error for NetError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.source {
            Some(source) => Some(&**source),
            None => None,
        }
    }
}
