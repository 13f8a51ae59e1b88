//! Secret values that were registered, found in any encoding they may travel in.
//!
//! Not here: secrets that nobody registered; the pattern rules guess those.

use regex::bytes::{Regex, RegexBuilder};

use super::Failed;
use super::spans::Spans;
use super::view::{DECODERS, View};

/// Shorter values are hidden by key only: by value they would shred every number.
pub(super) const MIN_BYTES: usize = 6;
const ENGINE_BYTES: usize = 64 << 20;
const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The registered values and the two engines that find them.
#[derive(Clone, Default)]
pub(super) struct Known {
    values: Vec<String>,
    plain: Option<Regex>,
    base64: Option<Regex>,
    broken: bool,
}

impl Known {
    /// Registers one value without the white space around it; too short ones and a marker itself are left out.
    pub(super) fn add(&mut self, value: &str) {
        let value = value.trim().to_owned();
        let marker = super::MASK.contains(&value) || super::FAILED.contains(&value);
        if value.len() < MIN_BYTES || marker || self.values.contains(&value) {
            return;
        }
        self.values.push(value);
        self.values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        match (engine(&self.values, plain_forms), engine(&self.values, base64_forms)) {
            (Ok(plain), Ok(base64)) => {
                self.plain = Some(plain);
                self.base64 = Some(base64);
            }
            _ => self.broken = true,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether this value is found, without the white space around it.
    pub(super) fn has(&self, value: &str) -> bool {
        !self.broken && self.values.iter().any(|known| known == value.trim())
    }

    fn mark_view(&self, view: &View, spans: &mut Spans) {
        self.mark_bytes(&view.bytes, |start, end| {
            let (start, end) = view.origin(start, end);
            spans.add(start, end);
        });
    }

    fn mark_bytes(&self, bytes: &[u8], mut add: impl FnMut(usize, usize)) {
        for found in self.plain.iter().flat_map(|engine| engine.find_iter(bytes)) {
            add(found.start(), found.end());
        }
        for found in self.base64.iter().flat_map(|engine| engine.find_iter(bytes)) {
            // the characters on either side still carry bits of the first and the last byte
            let before = bytes.get(..found.start()).unwrap_or_default();
            let after = bytes.get(found.end()..).unwrap_or_default();
            let left = before.iter().rev().take(3).take_while(|byte| is_base64(**byte)).count();
            let right = after.iter().take(1).take_while(|byte| is_base64(**byte)).count();
            let padding = after.iter().skip(right).take(2).take_while(|byte| **byte == b'=').count();
            add(found.start() - left, found.end() + right + padding);
        }
    }
}

/// Marks every value that one of these knows in `text`, read plainly and decoded up to twice.
pub(super) fn mark<'a>(
    all: impl Iterator<Item = &'a Known> + Clone,
    text: &str,
    spans: &mut Spans,
) -> Result<(), Failed> {
    if all.clone().any(|known| known.broken) {
        return Err(Failed);
    }
    let all = all.filter(|known| !known.values.is_empty());
    if all.clone().next().is_none() {
        return Ok(());
    }
    all.clone().for_each(|known| known.mark_bytes(text.as_bytes(), |start, end| spans.add(start, end)));
    if !DECODERS.iter().any(|decoder| decoder.applies_to(text.as_bytes())) {
        return Ok(());
    }
    let plain = View::plain(text);
    for once in DECODERS.into_iter().filter_map(|decoder| plain.decoded(decoder)) {
        all.clone().for_each(|known| known.mark_view(&once, spans));
        for twice in DECODERS.into_iter().filter_map(|decoder| once.decoded(decoder)) {
            all.clone().for_each(|known| known.mark_view(&twice, spans));
        }
    }
    Ok(())
}

fn engine(values: &[String], forms: fn(&str, &mut Vec<String>)) -> Result<Regex, regex::Error> {
    let mut patterns = Vec::new();
    for value in values {
        forms(value, &mut patterns);
    }
    patterns.sort_by(|left, right| right.len().cmp(&left.len()).then_with(|| left.cmp(right)));
    patterns.dedup();
    RegexBuilder::new(&patterns.join("|")).size_limit(ENGINE_BYTES).dfa_size_limit(ENGINE_BYTES).build()
}

fn plain_forms(value: &str, patterns: &mut Vec<String>) {
    patterns.push(regex::escape(value));
    let hex: String = value
        .bytes()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(u32::from(digit), 16))
        .collect();
    patterns.push(format!("(?i-u:{hex})"));
}

fn base64_forms(value: &str, patterns: &mut Vec<String>) {
    for shift in 0..3 {
        let core = base64_core(value.as_bytes(), shift);
        patterns.push(regex::escape(&core.replace('+', "-").replace('/', "_")));
        patterns.push(regex::escape(&core));
    }
}

/// The base64 characters that depend on `value` alone when `shift` bytes stand before it.
fn base64_core(value: &[u8], shift: usize) -> String {
    let bytes: Vec<u8> = std::iter::repeat_n(0, shift).chain(value.iter().copied()).collect();
    let bit = |at: usize| bytes.get(at / 8).is_some_and(|byte| byte >> (7 - at % 8) & 1 == 1);
    let first = (shift * 8).div_ceil(6);
    let whole = bytes.len() * 8 / 6;
    let character = |at: usize| {
        let index = (at * 6..at * 6 + 6).fold(0, |index, at| index << 1 | usize::from(bit(at)));
        STANDARD.get(index).map(|byte| char::from(*byte))
    };
    (first..whole).filter_map(character).collect()
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}
