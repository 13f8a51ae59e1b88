//! Any text as a URL: the reader never panics, and what it accepts has one spelling, which the WHATWG's parser reads as
//! the same scheme, host, port, path and query, and prints as it is. Only of punycode that parser may refuse more.
//!
//! Not here: what must be refused; the case files say that.

use toolgate_core::resource::{Hosts, HttpUrl, UrlHost};
use url::Url;

pub fn run(text: &str) {
    let hosts = Hosts::of(["api.example.com", "*.internal.example.com"]).expect("these are rules");
    let read = match HttpUrl::parse(text) {
        Ok(read) => read,
        Err(error) => {
            assert!(!error.for_model().is_empty() && hosts.read(text).is_err());
            return;
        }
    };
    assert_eq!(HttpUrl::parse(read.as_str()).as_ref().ok(), Some(&read), "its spelling is read as itself");
    assert_eq!(hosts.read(text).is_ok(), is_allowed(&read));
    let theirs = |given: &str| {
        let theirs = Url::parse(given);
        assert!(theirs.is_ok() || given.contains("xn--"), "{given:?} is refused by others");
        theirs.ok()
    };
    if let Some(theirs) = theirs(text) {
        let host = theirs.host_str().unwrap_or_default();
        assert_eq!(theirs.scheme(), read.scheme().as_str());
        assert_eq!(host.strip_suffix('.').unwrap_or(host), read.host().to_string());
        assert_eq!(theirs.port_or_known_default(), Some(read.port()));
        assert_eq!((theirs.path(), theirs.query()), (read.path(), read.query()));
        assert!(theirs.username().is_empty() && theirs.password().is_none());
    }
    if let Some(theirs) = theirs(read.as_str()) {
        assert_eq!(theirs.as_str(), read.as_str());
    }
}

fn is_allowed(url: &HttpUrl) -> bool {
    let UrlHost::Name(name) = url.host() else { return false };
    let allowed = name == "api.example.com" || name.ends_with(".internal.example.com");
    allowed && url.as_str().starts_with("https:") && url.port() == 443
}
