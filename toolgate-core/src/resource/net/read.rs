//! The strict reader of URLs: what passes is read alike by every parser, and printed as it is by one that follows the
//! WHATWG's standard.
//!
//! Not which hosts may be reached. What is merely not canonical is kept aside, so that a host that may not be reached is
//! said before a spelling that could be mended.

use super::error::{NetError, NetFault};
use super::host::{self, UrlHost};
use super::url::{HttpUrl, UrlScheme};

/// Most bytes of a URL.
const MAX_BYTES: usize = 8192;

/// A URL that was read, and what another parser would have repaired in it.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) url: HttpUrl,
    pub(super) repaired: Option<NetError>,
}

impl Reading {
    /// The URL, where nothing needed repair.
    pub(super) fn canonical(self) -> Result<HttpUrl, NetError> {
        self.repaired.map_or(Ok(self.url), Err)
    }
}

fn fault(fault: NetFault, detail: impl Into<String>) -> NetError {
    NetError::new(fault, detail)
}

/// Reads a URL.
pub(super) fn read(text: &str) -> Result<Reading, NetError> {
    check_characters(text)?;
    let (scheme, rest) = scheme(text)?;
    let slashes = rest.len() - rest.trim_start_matches('/').len();
    let after = rest.trim_start_matches('/');
    let end = after.find(['/', '?', '#']).unwrap_or(after.len());
    let (authority, tail) = after.split_at_checked(end).unwrap_or((after, ""));
    if authority.is_empty() {
        return Err(fault(NetFault::Invalid, "there is no host"));
    }
    if slashes != 2 {
        return Err(fault(NetFault::NotCanonical, format!("{slashes} slashes follow the scheme, not two")));
    }
    if authority.contains('@') {
        return Err(fault(NetFault::Userinfo, "there is something before an `@` in front of the host"));
    }
    let (host, port) = host_and_port(authority)?;
    if host.is_empty() {
        return Err(fault(NetFault::Invalid, "there is no host"));
    }
    let read = host::read(host)?;
    let repaired = if read.repaired {
        Some(fault(NetFault::NotCanonical, "the host is percent-encoded"))
    } else if port == Some("") {
        Some(fault(NetFault::NotCanonical, "a `:` after the host without a port"))
    } else {
        check_tail(tail)
    };
    let port = match port {
        Some(digits) if !digits.is_empty() => port_number(digits)?,
        _ => scheme.default_port(),
    };
    Ok(Reading { url: written(scheme, read.host, port, tail), repaired })
}

/// The one spelling.
fn written(scheme: UrlScheme, host: UrlHost, port: u16, tail: &str) -> HttpUrl {
    let said = if port == scheme.default_port() { String::new() } else { format!(":{port}") };
    let mut text = format!("{}://{host}{said}", scheme.as_str());
    let path_at = text.len();
    if !tail.starts_with('/') {
        text.push('/');
    }
    text.push_str(tail);
    HttpUrl { text, scheme, host, port, path_at }
}

fn check_characters(text: &str) -> Result<(), NetError> {
    if text.len() > MAX_BYTES {
        return Err(fault(NetFault::TooLong, format!("the text has {} bytes", text.len())));
    }
    if let Some(c) = text.chars().find(|c| c.is_whitespace() || c.is_control()) {
        return Err(fault(NetFault::Whitespace, format!("the text holds U+{:04X}", u32::from(c))));
    }
    if text.contains('\\') {
        return Err(fault(NetFault::Backslash, "the text holds a backslash"));
    }
    let Some(other) = text.chars().find(|c| !c.is_ascii()) else { return Ok(()) };
    let authority = text.split_once("://").map_or("", |(_, rest)| rest);
    let authority = authority.split(['/', '?', '#']).next().unwrap_or(authority);
    match authority.chars().find(|c| becomes_delimiter(*c)) {
        Some(c) => Err(fault(NetFault::HostInvalid, format!("U+{:04X} would end the host", u32::from(c)))),
        None => Err(fault(NetFault::NotAscii, format!("the text holds U+{:04X}", u32::from(other)))),
    }
}

/// Whether a character's compatible form (NFKC) is or holds one that can't stand in a host, such as `/` or `@`.
fn becomes_delimiter(c: char) -> bool {
    // The full-width forms stand in the order of ASCII.
    let narrow = match u32::from(c) {
        point @ 0xff01..=0xff5e => char::from_u32(point - 0xfee0),
        _ => None,
    };
    narrow.is_some_and(|c| "#%/:<>?@[\\]^|".contains(c))
        || matches!(
            c,
            '\u{2047}'
                ..='\u{2049}'
                    | '\u{2100}'
                    | '\u{2101}'
                    | '\u{2105}'
                    | '\u{2106}'
                    | '\u{2a74}'
                    | '\u{fe13}'
                    | '\u{fe16}'
                    | '\u{fe47}'
                    | '\u{fe48}'
                    | '\u{fe55}'
                    | '\u{fe56}'
                    | '\u{fe5f}'
                    | '\u{fe64}'
                    | '\u{fe65}'
                    | '\u{fe68}'
                    | '\u{fe6a}'
                    | '\u{fe6b}'
        )
}

/// The scheme, and what follows its colon.
fn scheme(text: &str) -> Result<(UrlScheme, &str), NetError> {
    let is_scheme = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_alphabetic())
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    };
    let found = text.split_once(':').filter(|(word, _)| is_scheme(word));
    let (word, rest) = found.ok_or_else(|| fault(NetFault::Invalid, "there is no scheme"))?;
    if word.eq_ignore_ascii_case("https") {
        Ok((UrlScheme::Https, rest))
    } else if word.eq_ignore_ascii_case("http") {
        Ok((UrlScheme::Http, rest))
    } else {
        Err(fault(NetFault::Scheme, "the scheme is neither `http` nor `https`"))
    }
}

/// Host and port; an address of version 6 keeps its brackets.
fn host_and_port(authority: &str) -> Result<(&str, Option<&str>), NetError> {
    let wrong = || fault(NetFault::Invalid, "what follows the host is no port");
    if !authority.starts_with('[') {
        return Ok(authority.split_once(':').map_or((authority, None), |(host, port)| (host, Some(port))));
    }
    let end = authority.find(']').map_or(authority.len(), |end| end + 1);
    let (host, rest) = authority.split_at_checked(end).ok_or_else(wrong)?;
    match rest.strip_prefix(':') {
        Some(port) => Ok((host, Some(port))),
        None if rest.is_empty() => Ok((host, None)),
        None => Err(wrong()),
    }
}

fn port_number(digits: &str) -> Result<u16, NetError> {
    let wrong = || fault(NetFault::Invalid, "the port is no number up to 65535");
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong());
    }
    let significant = digits.trim_start_matches('0');
    if significant.is_empty() { Ok(0) } else { significant.parse().map_err(|_| wrong()) }
}

/// What of path, query and fragment isn't spelled as it is printed.
fn check_tail(tail: &str) -> Option<NetError> {
    let (rest, fragment) = tail.split_once('#').unwrap_or((tail, ""));
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let not_canonical = |detail: String| Some(fault(NetFault::NotCanonical, detail));
    for (part, text, also) in [("path", path, "/:@'"), ("query", query, "/:@?"), ("fragment", fragment, "/:@?'")] {
        if let Err(bad) = check_run(text, also) {
            return not_canonical(format!("{bad:?} in the {part} isn't percent-encoded"));
        }
    }
    path.split('/').any(is_dots).then(|| "the path holds a `.` or `..` part".to_owned()).and_then(not_canonical)
}

/// Unreserved letters, sub-delimiters without `'`, escapes and these.
fn check_run(text: &str, also: &str) -> Result<(), char> {
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let fits = match letter {
            '%' => (0..2).all(|_| letters.next().is_some_and(|digit| digit.is_ascii_hexdigit())),
            _ => letter.is_ascii_alphanumeric() || "-._~!$&()*+,;=".contains(letter) || also.contains(letter),
        };
        if !fits {
            return Err(letter);
        }
    }
    Ok(())
}

/// `.` or `..`, however it is written.
fn is_dots(part: &str) -> bool {
    let plain = part.to_ascii_lowercase().replace("%2e", ".");
    matches!(plain.as_str(), "." | "..")
}
