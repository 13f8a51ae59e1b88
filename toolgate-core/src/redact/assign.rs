//! `name = value`, `name: value` and header lines in a text.
//!
//! Not here: flags and markup (`markup`), URLs (`url`), tokens that need no name (`tokens`).

use super::keys::{Kind, Verdict, judge, takes_the_line};
use super::scan::{Quote, Scan, is_blank, is_name, is_quote};
use super::spans::Spans;

const NAME_BYTES: usize = 128;
const SCHEMES: &[&str] =
    &["bearer", "basic", "digest", "token", "negotiate", "apikey", "api-key", "bot", "ntlm", "hmac", "key", "jwt"];

/// The name in front of an operator.
struct Name<'a> {
    text: &'a str,
    start: usize,
    /// `"name": ..` as in JSON.
    quoted: bool,
    /// The quote before an unquoted name: `"name: value"`.
    opened_by: Option<u8>,
    starts_line: bool,
}

/// Marks the values of all secret names; each byte is looked at a bounded number of times.
pub(super) fn mark(scan: Scan<'_>, extra: &[Vec<String>], spans: &mut Spans) {
    let mut done = 0;
    for (at, byte) in scan.bytes.iter().enumerate() {
        if at < done || !matches!(byte, b'=' | b':') {
            continue;
        }
        let Some(start) = value_start(scan, at) else {
            continue;
        };
        let Some(name) = name_before(scan, at) else {
            continue;
        };
        let verdict = judge(name.text.trim_start_matches('-'), extra);
        if !verdict.hides(Kind::Other) {
            continue;
        }
        if let Some((from, to)) = value(scan, &name, verdict, *byte == b':', start) {
            spans.add(from, to);
            done = to;
        }
    }
}

/// Where the value begins after the operator at `at`; `None` for `::` and `://`.
fn value_start(scan: Scan<'_>, at: usize) -> Option<usize> {
    let next = scan.at(at + 1);
    let (byte, after) = (scan.at(at), scan.at(at + 2));
    if byte == b':' && (next == b':' || scan.before(at) == b':' || (next == b'/' && after == b'/')) {
        return None;
    }
    let long = matches!((byte, next), (b':', b'=') | (b'=', b'>' | b'='));
    Some(scan.skip_blanks(at + if long { 2 } else { 1 }))
}

fn name_before(scan: Scan<'_>, at: usize) -> Option<Name<'_>> {
    let mut end = scan.back(at, 32, is_blank);
    let quoted = is_quote(scan.before(end));
    if quoted {
        end = scan.back(end - 1, 16, |byte| byte == b'\\');
    }
    let mut start = scan.back(end, NAME_BYTES, is_name);
    if start == end {
        return None;
    }
    let mut words = 1;
    while !quoted && words < 3 && scan.before(start) == b' ' && is_name(scan.before(start - 1)) {
        start = scan.back(start - 1, NAME_BYTES, is_name);
        words += 1;
    }
    if scan.before(start) == b'\\' && matches!(scan.at(start), b'n' | b'r' | b't') {
        start += 1;
    }
    while !scan.text.is_char_boundary(start) {
        start += 1;
    }
    let before = scan.before(start);
    let margin = scan.back(start, 32, |byte| is_blank(byte) || matches!(byte, b'-' | b'*' | b'#' | b'>'));
    Some(Name {
        text: scan.slice(start, end),
        start,
        quoted,
        opened_by: (!quoted && is_quote(before)).then_some(before),
        starts_line: matches!(scan.before(margin), 0 | b'\n' | b'\r'),
    })
}

fn value(scan: Scan<'_>, name: &Name<'_>, verdict: Verdict, colon: bool, start: usize) -> Option<(usize, usize)> {
    if matches!(scan.at(start), 0 | b'\n' | b'\r') {
        let end = indented_end(scan, name, scan.line_end(start));
        let first = scan.skip(start, |byte| byte.is_ascii_whitespace());
        return (colon && name.starts_line && first < end).then_some((first, end));
    }
    let header = takes_the_line(name.text) || (colon && name.text.trim_start_matches('-').contains('-'));
    let opening = scan.opening(start);
    let whole_line = !name.quoted && (header || (colon && name.starts_line && opening.is_none()));
    let empty = schemes_and_token(scan, name, start);
    if whole_line
        && !header
        && matches!(scan.at(empty), b',' | b';')
        && !verdict.hides(Kind::of_text(scan.slice(start, empty)))
    {
        return None;
    }
    if whole_line {
        let end = line_value_end(scan, name, start);
        let hidden = verdict.hides(Kind::of_text(scan.slice(start, end).trim()));
        return hidden.then_some((start, end));
    }
    if let Some(quote) = opening {
        return Some(quoted_value(scan, name, quote, start));
    }
    let end = if matches!(scan.at(start), b'[' | b'{') {
        token_end(scan, name, scan.bracket_end(start))
    } else {
        schemes_and_token(scan, name, start)
    };
    let hidden = verdict.hides(Kind::of_text(scan.slice(start, end)));
    hidden.then_some((start, end))
}

/// Inside the quotes; with the quotes where text clings to the closing one or nothing closes.
fn quoted_value(scan: Scan<'_>, name: &Name<'_>, quote: Quote, start: usize) -> (usize, usize) {
    let Some((end, after)) = scan.closing(quote) else {
        return (start, scan.len());
    };
    let next = scan.at(after);
    let clean =
        next == 0 || next.is_ascii_whitespace() || next == b'\\' || is_quote(next) || b",;)]}>&/|".contains(&next);
    if clean { (quote.inside, end) } else { (start, token_end(scan, name, after)) }
}

/// To the end of the line, or to the last of the quotes that opened before the name; deeper lines belong to it.
fn line_value_end(scan: Scan<'_>, name: &Name<'_>, start: usize) -> usize {
    let end = scan.line_end(start);
    if let Some(quote) = name.opened_by {
        let inside = scan.bytes.get(start..end).unwrap_or_default();
        if let Some(last) = inside.iter().rposition(|byte| *byte == quote) {
            return scan.back(start + last, 16, |byte| byte == b'\\').max(start);
        }
    }
    indented_end(scan, name, end)
}

/// The end of the lines after `end` that are indented deeper than the name's own line.
fn indented_end(scan: Scan<'_>, name: &Name<'_>, end: usize) -> usize {
    let line_start = scan.back(name.start, usize::MAX, |byte| !matches!(byte, b'\n' | b'\r'));
    let own = scan.skip_blanks(line_start) - line_start;
    let mut end = end;
    loop {
        let next = scan.skip(end, |byte| matches!(byte, b'\n' | b'\r'));
        let text = scan.skip_blanks(next);
        if next == end || text - next <= own || matches!(scan.at(text), 0 | b'\n' | b'\r') {
            return end;
        }
        end = scan.line_end(text);
    }
}

fn schemes_and_token(scan: Scan<'_>, name: &Name<'_>, start: usize) -> usize {
    let mut end = token_end(scan, name, start);
    let mut from = start;
    for _ in 0..3 {
        let word = scan.slice(from, end);
        let next = scan.skip_blanks(end);
        let is_scheme = SCHEMES.iter().any(|scheme| word.eq_ignore_ascii_case(scheme)) || word == super::MASK;
        if !is_scheme || next == end || matches!(scan.at(next), 0 | b'\n' | b'\r') {
            break;
        }
        if word == super::MASK
            && !SCHEMES.iter().any(|scheme| scan.slice(start, from).trim().eq_ignore_ascii_case(scheme))
        {
            break;
        }
        from = next;
        end = token_end(scan, name, next);
    }
    end
}

/// The end of an unquoted value: white space outside quotes, a closing tag, the quote that opened, or a separator with a new
/// name after it.
fn token_end(scan: Scan<'_>, name: &Name<'_>, start: usize) -> usize {
    let mut at = start;
    while at < scan.len() {
        let byte = scan.at(at);
        let ends = match byte {
            b'<' => scan.at(at + 1) == b'/',
            b'&' | b';' | b',' if starts_assignment(scan, at + 1) => true,
            b',' | b'}' | b']' => name.quoted,
            byte => byte.is_ascii_whitespace() || Some(byte) == name.opened_by,
        };
        if ends {
            return at;
        }
        at = if is_quote(byte) && at > start { quoted_part_end(scan, at) } else { at + 1 };
    }
    scan.len()
}

/// Behind the part `'b c'` of `a'b c'd`; a quote that closes something else, or nothing on its line, is a byte like any other.
fn quoted_part_end(scan: Scan<'_>, at: usize) -> usize {
    let next = scan.at(at + 1);
    if next.is_ascii_whitespace() || b",;:)]}".contains(&next) {
        return at + 1;
    }
    let quote = scan.at(at);
    let end = scan.skip(at + 1, |byte| byte != quote && !matches!(byte, b'\n' | b'\r'));
    if scan.at(end) == quote { end + 1 } else { at + 1 }
}

fn starts_assignment(scan: Scan<'_>, start: usize) -> bool {
    let start = scan.skip_blanks(start);
    let start = start + usize::from(is_quote(scan.at(start)));
    let window = scan.bytes.get(start..).unwrap_or_default();
    let length = window.iter().take(NAME_BYTES).take_while(|byte| is_name(**byte)).count();
    let after = start + length;
    let after = after + usize::from(is_quote(scan.at(after)));
    length > 0 && matches!(scan.at(scan.skip_blanks(after)), b'=' | b':')
}
