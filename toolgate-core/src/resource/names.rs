//! Rules about single names: invisible characters, protected names, names that aren't portable, escapes.
//!
//! No input or output here, and no change to a name before it is resolved: folding is for comparing only.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::Write as _;

/// True for characters that can't be seen or that repaint what stands around them.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control() || is_format(c)
}

/// Format, bidirectional, zero-width, separator and tag characters.
fn is_format(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Folds a name as the most lenient file systems compare: no case, no format characters, no stream, no trailing dots or spaces.
fn fold(name: &str) -> String {
    let name = name.split(':').next().unwrap_or(name);
    let folded: String =
        name.chars().filter(|c| !is_format(*c)).flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect();
    folded.trim_end_matches(['.', ' ']).to_owned()
}

/// True when one part of `path` is one of `protected` in any spelling a file system may accept.
///
/// A backslash separates parts here too, and short names (`GIT~1`) count.
pub(super) fn is_protected(path: &str, protected: &[String]) -> bool {
    path.split(['/', '\\']).map(fold).any(|part| {
        protected
            .iter()
            .map(|name| fold(name))
            .any(|name| !name.is_empty() && (part == name || is_short_name_of(&part, &name)))
    })
}

/// `git~1` for `.git`: the first six letters without dots and spaces, a tilde, digits.
fn is_short_name_of(part: &str, name: &str) -> bool {
    let Some((stem, number)) = part.split_once('~') else {
        return false;
    };
    let number = number.split('.').next().unwrap_or(number);
    let short: String =
        name.trim_start_matches('.').split('.').next().unwrap_or(name).chars().filter(|c| *c != ' ').take(6).collect();
    stem == short && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
}

/// What is wrong with a path on systems other than this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unportable {
    /// UNC, verbatim, device or drive path.
    Absolute,
    /// A colon: an alternate stream.
    Stream,
    /// A device, a short name, a trailing dot or space, a character that isn't allowed.
    Reserved,
}

/// Applies the rules that Windows has for names.
pub(super) fn unportable(path: &str) -> Option<Unportable> {
    let bytes = path.as_bytes();
    let drive = bytes.first().is_some_and(u8::is_ascii_alphabetic) && bytes.get(1) == Some(&b':');
    if path.starts_with("//") || path.starts_with('\\') || drive {
        return Some(Unportable::Absolute);
    }
    if path.contains(':') {
        return Some(Unportable::Stream);
    }
    let reserved = path.split('/').filter(|part| !matches!(*part, "" | "." | "..")).any(is_reserved);
    reserved.then_some(Unportable::Reserved)
}

fn is_reserved(name: &str) -> bool {
    name.ends_with(['.', ' '])
        || name.contains(['\\', '<', '>', '"', '|', '?', '*'])
        || is_device(name)
        || is_short_name(name)
}

/// `CON`, `aux.c`, `LPT²`: a device whatever follows the first dot.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end_matches(' ').to_ascii_lowercase();
    if matches!(stem.as_str(), "con" | "prn" | "aux" | "nul" | "conin$" | "conout$") {
        return true;
    }
    let port = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
    let mut digits = port.unwrap_or_default().chars();
    matches!(digits.next(), Some('0'..='9' | '¹' | '²' | '³')) && digits.next().is_none()
}

/// `PROGRA~1`: up to six characters, a tilde, digits, at most eight together.
fn is_short_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    let Some((head, number)) = stem.rsplit_once('~') else {
        return false;
    };
    !head.is_empty() && stem.chars().count() <= 8 && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
}

/// A name made fit to show, and what had to be done for it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) text: String,
    pub(super) escaped: bool,
    pub(super) non_utf8: bool,
}

/// Escapes hidden characters and bytes that aren't UTF-8; everything else stays.
pub(super) fn show(name: &OsStr) -> Shown {
    let mut shown = Shown { text: String::new(), escaped: false, non_utf8: false };
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            if is_hidden(c) {
                shown.escaped = true;
                shown.text.extend(c.escape_default());
            } else {
                shown.text.push(c);
            }
        }
        for byte in chunk.invalid() {
            shown.escaped = true;
            shown.non_utf8 = true;
            // Writing to a `String` can't fail.
            let _ = write!(shown.text, "\\x{byte:02x}");
        }
    }
    shown
}

/// A name in backticks, fit for an operator's log.
pub(super) fn quote(name: &OsStr) -> String {
    format!("`{}`", show(name).text)
}

/// Splits into parts, leaving out empty ones and `.`.
pub(super) fn parts(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.split(|b| *b == b'/').filter(|part| !matches!(*part, b"" | b"."))
}

/// True when `path` is `prefix` or lies beneath it, by whole names; a `..` in either says false, but
/// for the whole workspace (`.`): what leads out of that is told by resolving it.
pub(crate) fn is_beneath(path: &str, prefix: &str) -> bool {
    let climbs = |text: &str| text.split('/').any(|part| part == "..");
    if parts(prefix.as_bytes()).next().is_none() {
        return true;
    }
    if climbs(path) || climbs(prefix) {
        return false;
    }
    let mut path = parts(path.as_bytes());
    parts(prefix.as_bytes()).all(|wanted| path.next() == Some(wanted))
}

/// Joins a resolved folder (`.` for the root) and a name.
pub(super) fn join<'a>(folder: &str, name: &'a str) -> Cow<'a, str> {
    if folder == "." { Cow::Borrowed(name) } else { Cow::Owned(format!("{folder}/{name}")) }
}
