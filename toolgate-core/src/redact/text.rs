//! The rules for plain text, run over the text as a reader sees it and as a decoder would.
//!
//! Not here: structure; `value` walks JSON and calls this for every string and key.

use super::scan::Scan;
use super::signs::{ELEMENT, ENCODED, FLAG, OPERATOR, Signs, UNUSUAL, URL};
use super::spans::Spans;
use super::view::{Decoder, ENTITIES, ESCAPES, PERCENT, VISIBLE, View};
use super::{Failed, Inner, Pack, assign, cards, markup, tokens, url};

const DECODERS: [Decoder; 3] = [PERCENT, ENTITIES, ESCAPES];

/// Masks one text once; `None` where nothing is to be masked.
pub(super) fn redact(inner: &Inner, text: &str) -> Result<Option<String>, Failed> {
    if text.len() > super::MAX_TEXT_BYTES {
        return Err(Failed);
    }
    redact_with(inner, text, Signs::of(text))
}

/// As [`redact`], of a text with these signs.
pub(super) fn redact_with(inner: &Inner, text: &str, signs: Signs) -> Result<Option<String>, Failed> {
    if signs.is_harmless() && inner.knows_nothing() && inner.packs.is_empty() {
        return Ok(None);
    }
    let mut spans = Spans::default();
    inner.mark_known(text, &mut spans)?;
    let hidden = signs.has(UNUSUAL) && VISIBLE.changes(text.as_bytes());
    let seen = if hidden { View::plain(text).decoded(VISIBLE) } else { None };
    match &seen {
        Some(seen) => mark_view(inner, seen, &mut spans)?,
        None => mark_rules(inner, Scan::new(text), signs, &mut spans)?,
    }
    if seen.is_some() || signs.has(ENCODED) {
        for decoder in DECODERS {
            let decoded = match &seen {
                Some(seen) => seen.decoded(decoder),
                None if decoder.changes(text.as_bytes()) => View::plain(text).decoded(decoder),
                None => None,
            };
            if let Some(decoded) = decoded {
                mark_view(inner, &decoded, &mut spans)?;
            }
        }
    }
    if spans.is_empty() {
        return Ok(None);
    }
    let masked = spans.apply(text);
    Ok((masked != text).then_some(masked))
}

/// Runs the rules over a decoded text and marks where the findings came from.
fn mark_view(inner: &Inner, view: &View, spans: &mut Spans) -> Result<(), Failed> {
    let text = String::from_utf8_lossy(&view.bytes);
    // an escape may have made bytes that are no text; then positions would shift, so each such byte reads as `?`
    let text = if text.len() == view.bytes.len() { text } else { ascii_only(&view.bytes).into() };
    let mut found = Spans::default();
    mark_rules(inner, Scan::new(&text), Signs::of(&text), &mut found)?;
    for (start, end) in found.iter() {
        let (start, end) = view.origin(start, end);
        spans.add(start, end);
    }
    Ok(())
}

fn ascii_only(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '?' }).collect()
}

fn mark_rules(inner: &Inner, scan: Scan<'_>, signs: Signs, found: &mut Spans) -> Result<(), Failed> {
    tokens::mark(scan, &inner.keys, signs, found)?;
    if signs.has(URL) {
        url::mark(scan, &inner.keys, found);
    }
    if signs.has(OPERATOR) {
        assign::mark(scan, &inner.keys, found);
    }
    if signs.has(FLAG) {
        markup::mark_flags(scan, &inner.keys, found);
    }
    if signs.has(ELEMENT) {
        markup::mark_elements(scan, &inner.keys, found);
    }
    if inner.packs.contains(&Pack::Pci) {
        cards::mark(scan, found);
    }
    Ok(())
}
