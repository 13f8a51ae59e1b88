//! Which URLs a task may reach: the host rules of all its layers, of which each must say yes.
//!
//! Not what a name leads to; that is looked up by the client, which asks here about each address.

use std::net::IpAddr;
use std::sync::Arc;

use super::error::{NetError, NetFault};
use super::read;
use super::rule::{HostEntry, HostRule, HostRuleError};
use super::url::HttpUrl;
use super::{AddressClass, UrlHost};

/// The rules of one layer.
#[derive(Debug, Clone, Default)]
pub(crate) struct HostRules {
    rules: Vec<HostRule>,
    bad: Option<HostRuleError>,
}

impl HostRules {
    pub(crate) fn new(entries: impl IntoIterator<Item = impl Into<HostEntry>>) -> Self {
        let mut read = Self::default();
        for entry in entries {
            match entry.into().0 {
                Ok(rule) => read.rules.push(rule),
                Err(error) => read.bad = read.bad.or(Some(error)),
            }
        }
        read
    }

    /// The first entry that is no rule.
    pub(crate) fn bad(&self) -> Option<&HostRuleError> {
        self.bad.as_ref()
    }

    fn check(&self, url: &HttpUrl) -> Result<(), NetError> {
        if let Some(bad) = &self.bad {
            return Err(NetError::new(NetFault::BadPattern, bad.to_string()));
        }
        if self.rules.iter().any(|rule| rule.matches(url)) {
            return Ok(());
        }
        let any = |holds: &dyn Fn(&HostRule) -> bool| self.rules.iter().any(holds);
        let fault = if any(&|rule| rule.is_host(url) && rule.is_scheme(url)) {
            NetFault::Port
        } else if any(&|rule| rule.is_host(url)) || (!self.rules.is_empty() && !any(&|rule| rule.is_scheme(url))) {
            NetFault::Scheme
        } else if matches!(url.host(), UrlHost::Address(_)) {
            NetFault::IpLiteral
        } else {
            NetFault::Host
        };
        let (scheme, host, port) = url.origin();
        Err(NetError::new(fault, format!("no rule allows {}://{host}:{port}", scheme.as_str())))
    }

    fn allows_address(&self, url: &HttpUrl, address: IpAddr) -> bool {
        self.bad.is_none() && self.rules.iter().any(|rule| rule.matches(url) && rule.allows_address(address))
    }
}

/// The hosts that a task may reach. It is asked, and can't be widened.
#[derive(Debug, Clone, Default)]
pub struct Hosts {
    layers: Vec<Arc<HostRules>>,
}

impl Hosts {
    /// The hosts of these rules, for unit tests of tools; in a gate they come from the task's capabilities.
    ///
    /// # Errors
    /// An entry is no rule.
    pub fn of(entries: impl IntoIterator<Item = impl Into<HostEntry>>) -> Result<Self, HostRuleError> {
        let rules = HostRules::new(entries);
        match rules.bad {
            Some(bad) => Err(bad),
            None => Ok(Self { layers: vec![Arc::new(rules)] }),
        }
    }

    /// A URL in its one spelling, whatever may be reached.
    pub(crate) fn spelling(text: &str) -> Result<HttpUrl, NetError> {
        read::read(text)?.canonical()
    }

    pub(crate) fn of_layers(layers: impl IntoIterator<Item = Arc<HostRules>>) -> Self {
        Self { layers: layers.into_iter().collect() }
    }

    /// Reads a URL that may be reached. A host that may not be reached is told before a spelling that could be mended.
    ///
    /// # Errors
    /// The text is no canonical URL, or one that may not be reached.
    pub fn read(&self, text: &str) -> Result<HttpUrl, NetError> {
        let reading = read::read(text)?;
        self.check(&reading.url)?;
        reading.canonical()
    }

    /// Whether this URL may be reached.
    ///
    /// # Errors
    /// `net.scheme_not_allowed`, `net.host_not_allowed`, `net.port_not_allowed`, `net.ip_literal`.
    pub fn check(&self, url: &HttpUrl) -> Result<(), NetError> {
        if self.layers.is_empty() {
            return Err(NetError::new(NetFault::Host, "no hosts may be reached"));
        }
        self.layers.iter().try_for_each(|layer| layer.check(url))
    }

    /// Whether this address is one that the URL's host may lead to, by the networks of the rules that allow it.
    ///
    /// # Errors
    /// `net.ip_denied`.
    pub fn check_address(&self, url: &HttpUrl, address: IpAddr) -> Result<(), NetError> {
        self.check(url)?;
        if self.layers.iter().all(|layer| layer.allows_address(url, address)) {
            return Ok(());
        }
        let class = AddressClass::of(address);
        Err(NetError::new(NetFault::IpDenied, format!("{} leads to {address}, which is {class:?}", url.host())))
    }
}
