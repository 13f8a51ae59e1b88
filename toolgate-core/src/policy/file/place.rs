//! Places inside of a condition as places in the file.

use super::read::Word;
use super::source::Span;

/// Where the first letter of a text stands in the file; `None` where it is written with escapes.
pub(super) fn when_place(text: &str, word: &Word) -> Option<usize> {
    let raw = text.get(word.at.clone())?;
    raw.find(&word.text).map(|lead| word.at.start + lead)
}

/// So many bytes of a condition, from one on, in the file.
pub(super) fn when_span((whole, first): &(Span, Option<usize>), from: usize, length: usize) -> Span {
    match first {
        Some(first) => (first + from).min(whole.end)..(first + from + length).min(whole.end),
        None => whole.clone(),
    }
}
