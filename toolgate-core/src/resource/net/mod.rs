//! Places on the network: URLs as a model names them, the rules of hosts, and what an address is.
//!
//! Nothing is looked up or connected here: [`HttpUrl`] is a text that was read once, [`Hosts`] says whether it may be
//! reached and whether an address that its name leads to is one of those meant. `toolgate-http` does the rest.

mod access;
mod address;
mod error;
mod host;
mod punycode;
mod read;
mod rule;
mod suffix;
mod url;

pub(crate) use access::HostRules;
pub use access::Hosts;
pub use address::AddressClass;
pub use error::{NetError, NetFault};
pub use host::UrlHost;
pub use rule::{HostEntry, HostRule, HostRuleError};
pub use url::{HttpUrl, UrlScheme};
