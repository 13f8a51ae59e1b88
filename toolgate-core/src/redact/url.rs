//! Secrets in URLs: user information, query and fragment, paths of webhooks.
//!
//! Not here: allow-lists of hosts.

use super::keys::{Kind, judge};
use super::scan::{Scan, is_quote};
use super::spans::Spans;
use super::view::{PERCENT, View};

/// Query names that are secret in a URL only.
const QUERY_ONLY: &[&str] =
    &["sig", "signature", "hmac", "auth", "ticket", "assertion", "samlresponse", "code_verifier"];
/// Query names that are secret in a URL when the value looks like one.
const QUERY_OPAQUE: &[&str] = &["key", "code", "k", "t", "hash"];
/// Path segments that a one-time secret follows.
const PATH_WORDS: &[&str] = &["webhook", "reset", "invite", "invitation", "magic", "unsubscribe"];
const OPAQUE_BYTES: usize = 16;

/// The stretch of text up to white space that holds a URL; later URLs inside it share its end.
#[derive(Default)]
struct Stretch {
    end: usize,
    last_at: Option<usize>,
}

/// Marks the secret parts of every `scheme://..` in the text.
pub(super) fn mark(scan: Scan<'_>, extra: &[Vec<String>], spans: &mut Spans) {
    let mut stretch = Stretch::default();
    let mut done = 0;
    for (colon, _) in scan.text.match_indices("://") {
        let start = colon + 3;
        if start < done {
            continue;
        }
        let scheme_start =
            scan.back(colon, 32, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-'));
        if start > stretch.end || stretch.end == 0 {
            stretch = stretch_from(scan, scheme_start, start);
        }
        let scheme = scan.slice(scheme_start, colon).to_ascii_lowercase();
        let host = mark_user_information(scan, &scheme, start, &stretch, spans);
        mark_path_and_query(scan, host, stretch.end, extra, spans);
        done = host;
    }
}

fn stretch_from(scan: Scan<'_>, scheme_start: usize, start: usize) -> Stretch {
    let before = scan.before(scheme_start);
    let quote = if is_quote(before) { before } else { b'"' };
    let end =
        scan.skip(start, |byte| !byte.is_ascii_whitespace() && byte != quote && !matches!(byte, b'<' | b'>' | b'"'));
    let inside = scan.bytes.get(start..end).unwrap_or_default();
    Stretch { end, last_at: inside.iter().rposition(|byte| *byte == b'@').map(|at| start + at) }
}

/// Everything before the last `@`; returns where the host begins.
fn mark_user_information(scan: Scan<'_>, scheme: &str, start: usize, stretch: &Stretch, spans: &mut Spans) -> usize {
    let web = matches!(scheme, "http" | "https" | "ws" | "wss");
    let authority_end = scan.skip_to(start, stretch.end, |byte| !matches!(byte, b'/' | b'?' | b'#'));
    let authority = scan.bytes.get(start..authority_end).unwrap_or_default();
    let inner = authority.iter().rposition(|byte| *byte == b'@').map(|at| start + at);
    // a raw `/` in the password ends the authority early: then its "port" is no number
    let odd_port = authority.iter().rposition(|byte| *byte == b':').is_some_and(|colon| {
        let port = authority.get(colon + 1..).unwrap_or_default();
        !port.is_empty() && !port.iter().all(|byte| byte.is_ascii_digit() || *byte == b']')
    });
    let at = match inner {
        Some(inner) if web => Some(inner),
        Some(inner) => last_at_in_path(scan, inner, stretch),
        None if odd_port => stretch.last_at.filter(|at| *at >= start),
        None => None,
    };
    let Some(at) = at else { return start };
    let user = scan.slice(start, at);
    let plain_login = scheme.ends_with("ssh") || scheme == "sftp";
    if !plain_login || user.contains(':') {
        spans.add(start, at);
    }
    at + 1
}

/// The last `@` before the query: a password may hold `/` and `@`.
fn last_at_in_path(scan: Scan<'_>, inner: usize, stretch: &Stretch) -> Option<usize> {
    let last = stretch.last_at?;
    let query = scan.skip_to(inner, stretch.end, |byte| byte != b'?');
    if last < query {
        return Some(last.max(inner));
    }
    let path = scan.bytes.get(inner..query).unwrap_or_default();
    path.iter().rposition(|byte| *byte == b'@').map(|at| inner + at)
}

fn mark_path_and_query(scan: Scan<'_>, host_start: usize, end: usize, extra: &[Vec<String>], spans: &mut Spans) {
    let host_end = scan.skip_to(host_start, end, |byte| !matches!(byte, b'/' | b'?' | b'#' | b':'));
    let host = scan.slice(host_start, host_end).to_ascii_lowercase();
    // the next URL inside this one has its own turn
    let rest = scan.slice(host_end, end);
    let end = rest.find("://").map_or(end, |next| host_end + next);
    let path_start = scan.skip_to(host_end, end, |byte| !matches!(byte, b'/' | b'?' | b'#'));
    let path_end = scan.skip_to(path_start, end, |byte| !matches!(byte, b'?' | b'#'));
    mark_path(scan, &host, path_start, path_end, extra, spans);
    let mut start = path_end + 1;
    while start < end {
        let stop = scan.skip_to(start, end, |byte| !matches!(byte, b'&' | b'#' | b'?'));
        mark_parameter(scan, start, stop, extra, spans);
        start = stop + 1;
    }
}

fn mark_path(scan: Scan<'_>, host: &str, start: usize, end: usize, extra: &[Vec<String>], spans: &mut Spans) {
    let label = host.split('.').next().unwrap_or_default();
    if matches!(label, "hooks" | "hook" | "webhook" | "webhooks") || host.contains(".webhook.") {
        spans.add(start + 1, end);
        return;
    }
    let mut from = start + 1;
    let mut follows = false;
    while from < end {
        let to = scan.skip_to(from, end, |byte| byte != b'/');
        let segment = scan.slice(from, to);
        let bot = segment.strip_prefix("bot").is_some_and(|rest| rest.contains(':'));
        if bot || (follows && is_opaque(segment)) {
            spans.add(from, to);
        }
        let lower = segment.to_ascii_lowercase();
        follows |= lower == "hooks"
            || PATH_WORDS.iter().any(|word| lower.contains(word))
            || judge(segment, extra).hides(Kind::Other);
        from = to + 1;
    }
}

fn mark_parameter(scan: Scan<'_>, start: usize, end: usize, extra: &[Vec<String>], spans: &mut Spans) {
    let parameter = scan.slice(start, end);
    let Some((name, value)) = parameter.split_once('=') else {
        return;
    };
    let decoded = View::plain(name).decoded(PERCENT);
    let name = decoded.map_or_else(|| name.to_owned(), |view| String::from_utf8_lossy(&view.bytes).into_owned());
    let lower = name.to_ascii_lowercase();
    let named = judge(&name, extra).hides(Kind::of_text(value)) || QUERY_ONLY.contains(&lower.as_str());
    if named || (QUERY_OPAQUE.contains(&lower.as_str()) && is_opaque(value)) {
        spans.add(end - value.len(), end);
    }
}

fn is_opaque(text: &str) -> bool {
    let digits = text.bytes().any(|byte| byte.is_ascii_digit());
    let letters = text.bytes().any(|byte| byte.is_ascii_alphabetic());
    text.len() >= OPAQUE_BYTES && digits && letters
}
