//! Which bytes of a text are to be hidden, and the text without them.
//!
//! Not here: the rules that find them.

use super::MASK;

/// Byte ranges of one text, in any order, overlapping or not.
#[derive(Debug, Default)]
pub(super) struct Spans(Vec<(usize, usize)>);

impl Spans {
    /// Marks `start..end`; an empty range marks nothing.
    pub(super) fn add(&mut self, start: usize, end: usize) {
        if start < end {
            self.0.push((start, end));
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The ranges, in the order they were marked.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.0.iter().copied()
    }

    /// `text` with one mask in place of each run of marked bytes.
    ///
    /// A range that cuts a character or an old mask grows to cover it, so nothing grows by being masked twice.
    pub(super) fn apply(mut self, text: &str) -> String {
        if self.0.is_empty() {
            return text.to_owned();
        }
        self.cover_old_masks(text);
        let mut out = String::with_capacity(text.len());
        let mut kept = 0;
        for (start, end) in self.merged() {
            let start = floor(text, start);
            let end = ceil(text, end);
            out.push_str(text.get(kept..start).unwrap_or_default());
            out.push_str(MASK);
            kept = end;
        }
        out.push_str(text.get(kept..).unwrap_or_default());
        out
    }

    fn cover_old_masks(&mut self, text: &str) {
        let merged = self.merged();
        let mut spans = merged.iter().copied().peekable();
        for (at, _) in text.match_indices(MASK) {
            let end = at + MASK.len();
            while spans.next_if(|span| span.1 <= at).is_some() {}
            if spans.peek().is_some_and(|span| span.0 < end) {
                self.0.push((at, end));
            }
        }
    }

    fn merged(&self) -> Vec<(usize, usize)> {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let mut merged: Vec<(usize, usize)> = Vec::with_capacity(sorted.len());
        for (start, end) in sorted {
            match merged.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => merged.push((start, end)),
            }
        }
        merged
    }
}

fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn ceil(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}
