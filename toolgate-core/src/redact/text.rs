//! The rules for plain text, run over the text as a reader sees it and as a decoder would.
//!
//! Not here: structure; `value` walks JSON and calls this for every string and key.

use super::scan::Scan;
use super::spans::Spans;
use super::view::{Decoder, View, entities, escapes, percent, visible};
use super::{Failed, Inner, Pack, assign, cards, markup, tokens, url};

const DECODERS: [Decoder; 3] = [percent, entities, escapes];

/// Masks one text once.
pub(super) fn redact(inner: &Inner, text: &str) -> Result<String, Failed> {
    if text.len() > super::MAX_TEXT_BYTES {
        return Err(Failed);
    }
    let mut spans = Spans::default();
    inner.known.mark(text, &mut spans)?;
    let plain = View::plain(text);
    let seen = plain.decoded(visible).unwrap_or(plain);
    mark_view(inner, &seen, &mut spans)?;
    for decoder in DECODERS {
        if let Some(decoded) = seen.decoded(decoder) {
            mark_view(inner, &decoded, &mut spans)?;
        }
    }
    Ok(spans.apply(text))
}

fn mark_view(inner: &Inner, view: &View, spans: &mut Spans) -> Result<(), Failed> {
    // bytes that are no text can't be read as text by anyone else either
    let Some(text) = view.text() else {
        return Ok(());
    };
    let scan = Scan::new(text);
    let mut found = Spans::default();
    tokens::mark(scan, &inner.keys, &mut found)?;
    url::mark(scan, &inner.keys, &mut found);
    assign::mark(scan, &inner.keys, &mut found);
    markup::mark_flags(scan, &inner.keys, &mut found);
    markup::mark_elements(scan, &inner.keys, &mut found);
    if inner.packs.contains(&Pack::Pci) {
        cards::mark(scan, &mut found);
    }
    for (start, end) in found.iter() {
        let (start, end) = view.origin(start, end);
        spans.add(start, end);
    }
    Ok(())
}
