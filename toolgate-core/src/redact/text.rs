//! The rules for plain text, run over the text as a reader sees it and as a decoder would.
//!
//! Not here: structure; `value` walks JSON and calls this for every string and key.

use super::scan::Scan;
use super::spans::Spans;
use super::view::{Decoder, ENTITIES, ESCAPES, PERCENT, VISIBLE, View};
use super::{Failed, Inner, Pack, assign, cards, markup, tokens, url};

const DECODERS: [Decoder; 3] = [PERCENT, ENTITIES, ESCAPES];

/// Masks one text once.
pub(super) fn redact(inner: &Inner, text: &str) -> Result<String, Failed> {
    if text.len() > super::MAX_TEXT_BYTES {
        return Err(Failed);
    }
    let mut spans = Spans::default();
    inner.known.mark(text, &mut spans)?;
    let usual = !VISIBLE.applies_to(text.as_bytes());
    if usual {
        mark_rules(inner, Scan::new(text), &mut spans)?;
    }
    if !usual || DECODERS.iter().any(|decoder| decoder.applies_to(text.as_bytes())) {
        let plain = View::plain(text);
        let seen = plain.decoded(VISIBLE).unwrap_or(plain);
        if !usual {
            mark_view(inner, &seen, &mut spans)?;
        }
        for decoded in DECODERS.into_iter().filter_map(|decoder| seen.decoded(decoder)) {
            mark_view(inner, &decoded, &mut spans)?;
        }
    }
    Ok(spans.apply(text))
}

/// Runs the rules over a decoded text and marks where the findings came from.
fn mark_view(inner: &Inner, view: &View, spans: &mut Spans) -> Result<(), Failed> {
    let text = String::from_utf8_lossy(&view.bytes);
    // an escape may have made bytes that are no text; then positions would shift, so each such byte reads as `?`
    let text = if text.len() == view.bytes.len() { text } else { ascii_only(&view.bytes).into() };
    let mut found = Spans::default();
    mark_rules(inner, Scan::new(&text), &mut found)?;
    for (start, end) in found.iter() {
        let (start, end) = view.origin(start, end);
        spans.add(start, end);
    }
    Ok(())
}

fn ascii_only(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '?' }).collect()
}

fn mark_rules(inner: &Inner, scan: Scan<'_>, found: &mut Spans) -> Result<(), Failed> {
    tokens::mark(scan, &inner.keys, found)?;
    url::mark(scan, &inner.keys, found);
    assign::mark(scan, &inner.keys, found);
    markup::mark_flags(scan, &inner.keys, found);
    markup::mark_elements(scan, &inner.keys, found);
    if inner.packs.contains(&Pack::Pci) {
        cards::mark(scan, found);
    }
    Ok(())
}
