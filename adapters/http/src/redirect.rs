//! Where a redirect leads, and what goes with it. Each leads through the whole check again; what isn't followed is either
//! an error or the tool's to read.

use reqwest::header::{
    ACCEPT, ACCEPT_LANGUAGE, CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderName, LOCATION, TE, TRAILER,
    TRANSFER_ENCODING, UPGRADE, USER_AGENT,
};
use reqwest::{Method, StatusCode, Url};
use toolgate_core::resource::{Hosts, HttpUrl, NetError, NetFault, UrlScheme};

use crate::hop::Hop;
use crate::response::HttpResponse;

/// Headers that may go on to another host; all others may be secrets.
pub(crate) fn is_plain(name: &HeaderName) -> bool {
    [ACCEPT, ACCEPT_LANGUAGE, CONTENT_TYPE, USER_AGENT].contains(name)
}

/// Headers that are the client's to set.
pub(crate) fn is_of_the_connection(name: &HeaderName) -> bool {
    [HOST, CONNECTION, CONTENT_LENGTH, TE, TRAILER, TRANSFER_ENCODING, UPGRADE].contains(name)
        || name.as_str().starts_with("proxy-")
}

fn denied(detail: impl Into<String>) -> NetError {
    NetError::new(NetFault::RedirectDenied, detail)
}

/// The request that the answer asks for; `None` where it is none, or one that the tool must judge.
pub(crate) fn next(hosts: &Hosts, hop: &Hop, answer: &HttpResponse) -> Result<Option<Hop>, NetError> {
    let Some(method) = method(hop, answer.status) else { return Ok(None) };
    let Some(location) = answer.headers.get(LOCATION) else { return Ok(None) };
    let location = location.to_str().map_err(|_| denied("the `Location` isn't ASCII"))?;
    let url = target(hosts, &hop.url, location)?;
    let is_same_origin = url.origin() == hop.url.origin();
    if hop.url.scheme() == UrlScheme::Https && url.scheme() == UrlScheme::Http {
        return Err(denied("from `https` to `http`"));
    }
    let keeps = method == hop.method;
    if keeps && !hop.changes_nothing() && !is_same_origin {
        return Err(denied(format!("a {method} to another host, scheme or port")));
    }
    let mut headers = hop.headers.clone();
    if !is_same_origin {
        headers =
            headers.into_iter().filter_map(|(name, value)| name.filter(is_plain).map(|name| (name, value))).collect();
    }
    let body = hop.body.clone().filter(|_| keeps);
    if body.is_none() {
        headers.remove(CONTENT_TYPE);
    }
    Ok(Some(Hop { method, url, headers, body }))
}

/// The method of the next request, where the status asks for one that is followed.
fn method(hop: &Hop, status: StatusCode) -> Option<Method> {
    match status.as_u16() {
        303 if hop.method == Method::HEAD => Some(Method::HEAD),
        303 => Some(Method::GET),
        307 | 308 => Some(hop.method.clone()),
        301 | 302 if hop.changes_nothing() => Some(hop.method.clone()),
        // As browsers do it.
        301 | 302 if hop.method == Method::POST => Some(Method::GET),
        _ => None,
    }
}

/// Where the `Location` leads from here, read by the one parser and checked in the spelling that it prints.
fn target(hosts: &Hosts, from: &HttpUrl, location: &str) -> Result<HttpUrl, NetError> {
    let not_followed =
        |error: NetError| denied(format!("the target is refused by `{}`", error.code())).with_source(error);
    if let Some(bad) = location.chars().find(|c| c.is_ascii_control() || matches!(c, ' ' | '\\')) {
        return Err(denied(format!("the `Location` holds {bad:?}")));
    }
    let base = Url::parse(from.as_str()).map_err(|error| denied("no base").with_source(error))?;
    let mut url = base.join(location).map_err(|error| denied("the `Location` is no URL").with_source(error))?;
    url.set_fragment(None);
    hosts.read(&encoded(&url)).map_err(not_followed)
}

/// The URL with what a parser leaves as it is, and RFC 3986 doesn't allow, percent-encoded too.
fn encoded(url: &Url) -> String {
    let text = url.as_str();
    let path_at = text.len() - url.path().len() - url.query().map_or(0, |query| query.len() + 1);
    let (origin, rest) = text.split_at_checked(path_at).unwrap_or((text, ""));
    let mut encoded = origin.to_owned();
    for c in rest.chars() {
        match c {
            '|' => encoded.push_str("%7C"),
            '^' => encoded.push_str("%5E"),
            '[' => encoded.push_str("%5B"),
            ']' => encoded.push_str("%5D"),
            '{' => encoded.push_str("%7B"),
            '}' => encoded.push_str("%7D"),
            '`' => encoded.push_str("%60"),
            other => encoded.push(other),
        }
    }
    encoded
}
