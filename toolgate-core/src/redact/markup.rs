//! Command-line flags and XML elements with secret names.
//!
//! Not here: `--name=value`, which is an assignment.

use super::keys::{Kind, judge};
use super::scan::{Scan, is_blank, is_quote};
use super::spans::Spans;

/// How many different element names without an end tag are remembered.
const OPEN_NAMES: usize = 32;

/// Marks what follows `--secret-name`, and the password of `-u user:password`.
pub(super) fn mark_flags(scan: Scan<'_>, extra: &[Vec<String>], spans: &mut Spans) {
    let mut done = 0;
    for (at, byte) in scan.bytes.iter().enumerate() {
        if at < done || *byte != b'-' {
            continue;
        }
        let before = scan.before(at);
        let opens =
            before == 0 || before.is_ascii_whitespace() || is_quote(before) || matches!(before, b'[' | b',' | b'(');
        if !opens {
            continue;
        }
        let start = scan.skip(at, |byte| byte == b'-');
        let end = scan.skip(start, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
        let name = scan.slice(start, end);
        let value = scan.skip(end, |byte| byte.is_ascii_whitespace() || matches!(byte, b',' | b'\\') || is_quote(byte));
        if value == end || scan.bytes.get(value..).unwrap_or_default().starts_with(b"--") {
            continue;
        }
        let quote = is_quote(scan.before(value)).then(|| scan.before(value));
        let value_end = scan.skip(value, |byte| quote.map_or(!byte.is_ascii_whitespace(), |quote| byte != quote));
        let login = matches!(name, "u" | "user" | "proxy-user") && scan.slice(value, value_end).contains(':');
        if login || judge(name, extra).hides(Kind::Other) {
            // an unclosed quote is hidden too, so that a second look finds the same end
            let open = quote.is_some() && value_end == scan.len();
            spans.add(value - usize::from(open), value_end);
            done = value_end;
        }
    }
}

/// Marks the content of `<secret-name ..>..</secret-name>`; of an element that is cut off, what touches the tag.
pub(super) fn mark_elements(scan: Scan<'_>, extra: &[Vec<String>], spans: &mut Spans) {
    let lower = scan.text.to_ascii_lowercase();
    let mut unclosed: Vec<&str> = Vec::new();
    let mut done = 0;
    for (at, byte) in scan.bytes.iter().enumerate() {
        if at < done || *byte != b'<' {
            continue;
        }
        let end = scan.skip(at + 1, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':'));
        let name = lower.get(at + 1..end).unwrap_or_default();
        let local = scan.slice(at + 1, end).rsplit(':').next().unwrap_or_default();
        if !judge(local, extra).hides(Kind::Other) {
            continue;
        }
        let tag_end = scan.skip(end, |byte| !matches!(byte, b'>' | b'<'));
        if scan.at(tag_end) != b'>' || scan.before(tag_end) == b'/' {
            done = tag_end;
            continue;
        }
        let content = tag_end + 1;
        let search = !unclosed.contains(&name) && unclosed.len() < OPEN_NAMES;
        let close = if search { lower.get(content..).and_then(|rest| rest.find(&format!("</{name}"))) } else { None };
        let content_end = match close {
            Some(length) => content + length,
            None => scan.skip(content, |byte| !is_blank(byte) && !matches!(byte, b'\n' | b'\r' | b'<')),
        };
        if close.is_none() && search {
            unclosed.push(name);
        }
        spans.add(content, content_end);
        done = content_end;
    }
}
