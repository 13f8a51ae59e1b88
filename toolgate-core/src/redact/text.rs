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
    if inner.known.len() == 0 && inner.packs.is_empty() && is_harmless(text)? {
        return Ok(text.to_owned());
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

/// Shorter runs of letters and digits are no token that needs neither a sign nor a name: the shortest is an
/// AWS key id of 16.
const TOKEN_BYTES: usize = 16;
/// What the rules need that look for a word and white space.
const SPACED_WORDS: [&[u8]; 4] = [b"basic", b"bearer", b"password", b"identified"];

/// Whether no rule can find anything: no sign that any of them starts from, no token, no such word. Says no
/// where it isn't sure.
fn is_harmless(text: &str) -> Result<bool, Failed> {
    let bytes = text.as_bytes();
    let (mut run, mut spaced, mut maybe_token) = (0_usize, false, false);
    for byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => {
                run += 1;
                maybe_token |= run >= TOKEN_BYTES;
                continue;
            }
            b' ' => spaced = true,
            b',' | b';' | b'!' | b'?' | b'/' | b'(' | b')' => {}
            b'.' | b'_' => maybe_token = true,
            // A flag begins a word, a private key with several.
            b'-' if run > 0 => maybe_token = true,
            _ => return Ok(false),
        }
        run = 0;
    }
    if maybe_token && tokens::has_token(text)? {
        return Ok(false);
    }
    let has = |word: &[u8]| bytes.windows(word.len()).any(|at| at.eq_ignore_ascii_case(word));
    Ok(!spaced || !SPACED_WORDS.iter().any(|word| has(word)))
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
