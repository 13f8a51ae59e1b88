//! Words of problems: lists that end, names that may be said back, kinds with their article. Not what
//! is wrong, which `check.rs` and its neighbours find.

use std::fmt::Write as _;

use super::rule::{FieldRule, NumberRule, Word};

/// Longest name of the model's own that is said back in a pointer.
const MAX_NAME: usize = 64;
/// Most words and names in one list, and most bytes of them.
const LISTED: usize = 30;
const LIST_BYTES: usize = 800;

pub(super) fn list_words(words: &[Word]) -> String {
    list(words.len(), words.iter().map(|word| word.value.as_str()))
}

pub(super) fn list_names(fields: &[FieldRule]) -> String {
    list(fields.len(), fields.iter().map(|field| field.name.as_str()))
}

pub(super) fn list<'w>(count: usize, words: impl Iterator<Item = &'w str>) -> String {
    let mut text = String::new();
    for (index, word) in words.enumerate() {
        if index == LISTED || text.len() + word.len() > LIST_BYTES {
            let _ = write!(text, " and {} more", count - index);
            break;
        }
        let comma = if index == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}`{word}`");
    }
    text
}

/// A name of the model's own, where it is a plain short word.
pub(super) fn shown_name(name: &str) -> &str {
    let plain = name.len() <= MAX_NAME
        && !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    if plain { name } else { "?" }
}

pub(super) fn with_article(kind: &str) -> String {
    match kind {
        "null" => "null".to_owned(),
        "array" | "object" | "integer" => format!("an {kind}"),
        _ => format!("a {kind}"),
    }
}

pub(super) fn describe_number(rule: &NumberRule) -> String {
    let mut parts = Vec::new();
    for (bound, open, word) in [
        (rule.min, f64::NEG_INFINITY, "at least"),
        (rule.above, f64::NEG_INFINITY, "more than"),
        (rule.max, f64::INFINITY, "at most"),
        (rule.below, f64::INFINITY, "less than"),
    ] {
        if bound.is_finite() && (bound - open).abs() > 0.0 {
            parts.push(format!("{word} {bound}"));
        }
    }
    format!("a number {}", parts.join(" and "))
}
