//! One text that values are looked for in, and the texts of results and arguments. Not which of several texts counts,
//! which is [`super::memory`].

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use serde_json::Value;

use super::needle::{Needle, currency_of, fold, is_break, is_short, letters, number_of, pieces, words};
use super::{Provenance, ResultOf};
use crate::content::Content;

/// How often a value is looked for at another place in the same text.
const TRIES: usize = 256;
/// Words of others that may stand between two words of what the user said.
const BETWEEN: usize = 2;
/// Deepest value that is looked into.
const DEEPEST: usize = 128;

/// A text, and what stands in it is worth.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) provenance: Provenance,
    pub(super) result: Option<ResultOf>,
    folded: String,
    /// Of a text that makes what stands in it less trusted.
    letters: String,
    /// Its words that short values and numbers may be, as sorted hashes.
    short: Vec<u64>,
    hasher: RandomState,
}

impl Source {
    pub(super) fn new(provenance: Provenance, result: Option<ResultOf>, text: &str) -> Self {
        let folded = fold(text);
        let lowers = provenance > Provenance::Trusted;
        let letters = if lowers { letters(&folded) } else { String::new() };
        let hasher = RandomState::new();
        let mut short = Vec::new();
        words(&folded).for_each(|word| push_short(&hasher, word, &mut short));
        short.sort_unstable();
        short.dedup();
        short.shrink_to_fit();
        Self { provenance, result, folded, letters, short, hasher }
    }

    pub(super) fn bytes(&self) -> usize {
        let names = self.result.as_ref().map_or(0, |result| result.call_id.len() + result.tool.len());
        self.folded.len() + self.letters.len() + size_of_val(self.short.as_slice()) + names + size_of::<Self>()
    }

    /// Whether the value stands in it. What makes a value less trusted is found in any spelling; what makes it more
    /// trusted only as it was written, up to case, white space and the form of numbers.
    pub(super) fn holds(&self, needle: &Needle) -> bool {
        let lowers = self.provenance > Provenance::Trusted;
        if lowers && needle.is_found_inside() && self.letters.contains(&needle.letters) {
            return true;
        }
        if needle.is_short() {
            return self.has_word(needle);
        }
        self.has_text(&needle.folded)
            || needle.is_grouped() && self.has_grouped(&needle.folded)
            || self.provenance == Provenance::User && self.has_words(&needle.words)
    }

    /// As a whole word, a number in whatever form; where both have a currency, in the same.
    fn has_word(&self, needle: &Needle) -> bool {
        let has = |sought: u64| self.short.binary_search(&sought).is_ok();
        let Some(number) = &needle.number else { return has(self.hasher.hash_one(&needle.folded)) };
        match currency_of(&needle.folded) {
            Some(currency) => [Some(currency), None].iter().any(|written| has(self.hasher.hash_one((number, written)))),
            None => has(self.hasher.hash_one((number, ANY))),
        }
    }

    /// As a text that begins and ends where words do.
    fn has_text(&self, sought: &str) -> bool {
        let mut from = 0;
        for _ in 0..TRIES {
            let Some(at) = self.folded.get(from..).and_then(|rest| rest.find(sought)) else {
                return false;
            };
            let (start, end) = (from + at, from + at + sought.len());
            if self.begins(start) && self.ends(end) && self.is_whole(start, end) {
                return true;
            }
            from = start + self.folded.get(start..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
        }
        false
    }

    fn begins(&self, at: usize) -> bool {
        let before = self.folded.get(..at).and_then(|before| before.chars().next_back());
        let first = self.folded.get(at..).and_then(|rest| rest.chars().next());
        let lowers = self.provenance > Provenance::Trusted;
        let parts = |letter: char| letter == ' ' || is_break(letter) || lowers && letter == ':';
        before.is_none_or(parts) || first.is_some_and(is_break)
    }

    fn ends(&self, at: usize) -> bool {
        let last = self.folded.get(..at).and_then(|before| before.chars().next_back());
        if last.is_some_and(is_break) {
            return true;
        }
        let rest = self.folded.get(at..).unwrap_or_default().trim_start_matches(['.', '!', '?', ':', '…']);
        rest.chars().next().is_none_or(|letter| letter == ' ' || is_break(letter))
    }

    /// Whether it is no part of a link, a path or a name with an apostrophe; of what makes nothing more trusted, it
    /// doesn't matter.
    fn is_whole(&self, start: usize, end: usize) -> bool {
        if self.provenance > Provenance::Trusted {
            return true;
        }
        let (left, right) = (self.folded.get(..start).unwrap_or_default(), self.folded.get(end..).unwrap_or_default());
        let before = left.rsplit(' ').next().unwrap_or_default();
        let after = right.split(' ').next().unwrap_or_default();
        let within = self.folded.get(start..end).unwrap_or_default();
        let last = within.rsplit(' ').next().unwrap_or_default();
        let in_link = before.contains(['/', '?', '&']);
        let in_name = before.strip_suffix(['\'', '’']).is_some_and(|name| name.ends_with(char::is_alphanumeric));
        let cuts_link = last.contains("://") && after.contains(char::is_alphanumeric);
        !in_link && !in_name && !cuts_link
    }

    /// In groups with white space between them.
    fn has_grouped(&self, sought: &str) -> bool {
        let mut left = sought;
        for (at, word) in pieces(&self.folded) {
            let before = self.folded.get(..at).and_then(|before| before.strip_suffix(' '));
            if !before.is_some_and(|before| before.ends_with(char::is_alphanumeric)) {
                left = sought;
            }
            left = match left.strip_prefix(word).filter(|_| !word.is_empty()) {
                Some("") => return true,
                Some(rest) => rest,
                None => match sought.strip_prefix(word).filter(|_| !word.is_empty()) {
                    Some("") => return true,
                    Some(rest) => rest,
                    None => sought,
                },
            };
        }
        false
    }

    /// All its words in their order, with at most so many others between two.
    fn has_words(&self, sought: &[String]) -> bool {
        let [first, rest @ ..] = sought else { return false };
        if rest.is_empty() {
            return false;
        }
        let said: Vec<&str> = words(&self.folded).collect();
        let starts = said.iter().enumerate().filter(|(_, word)| *word == first).take(TRIES);
        starts.map(|(at, _)| at + 1).any(|mut at| {
            rest.iter().all(|word| {
                let near = said.iter().skip(at).take(BETWEEN + 1).position(|near| near == word);
                near.map(|near| at += near + 1).is_some()
            })
        })
    }
}

/// Stands for a number in any currency.
const ANY: &str = "any";

/// The hashes of a number, with its currency and without, or of a word so short that it is looked for as a whole.
fn push_short(hasher: &RandomState, word: &str, found: &mut Vec<u64>) {
    if let Some(number) = number_of(word) {
        found.extend([hasher.hash_one((&number, ANY)), hasher.hash_one((&number, currency_of(word)))]);
    } else if is_short(word) {
        found.push(hasher.hash_one(word));
    }
}

/// The texts of a result, one a line.
pub(super) fn of_result(value: &Value, content: &[Content]) -> String {
    let mut text = String::new();
    push_texts(value, &mut text, DEEPEST);
    for block in content {
        for part in of_block(block).into_iter().flatten() {
            push_line(&mut text, part);
        }
    }
    text
}

/// What can be read of a block: text, names, and a file that is text.
fn of_block(block: &Content) -> [Option<&str>; 3] {
    match block {
        Content::Text(text) => [Some(text), None, None],
        Content::Link(link) => [Some(link.uri()), Some(link.name()), None],
        block => [block.name(), block.bytes().and_then(|bytes| std::str::from_utf8(bytes).ok()), None],
    }
}

fn push_line(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}

fn push_texts(value: &Value, text: &mut String, depth: usize) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match value {
        Value::Null => {}
        Value::Bool(flag) => push_line(text, if *flag { "true" } else { "false" }),
        Value::Number(number) => push_line(text, &number.to_string()),
        Value::String(part) => push_line(text, part),
        Value::Array(items) => items.iter().for_each(|item| push_texts(item, text, depth)),
        Value::Object(fields) => {
            for (name, field) in fields {
                push_line(text, name);
                push_texts(field, text, depth);
            }
        }
    }
}

/// The values of arguments, each to be looked for. What is null or says nothing is none.
pub(super) fn leaves(value: &Value) -> Vec<Needle> {
    let mut found = Vec::new();
    push_leaves(value, &mut found, DEEPEST);
    found
}

fn push_leaves(value: &Value, found: &mut Vec<Needle>, depth: usize) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match value {
        Value::Null => {}
        Value::Bool(flag) => found.extend(Needle::of(if *flag { "true" } else { "false" })),
        Value::Number(number) => found.extend(Needle::of(&number.to_string())),
        Value::String(text) => found.extend(Needle::of(text)),
        Value::Array(items) => items.iter().for_each(|item| push_leaves(item, found, depth)),
        Value::Object(fields) => {
            for (name, field) in fields {
                found.extend(Needle::of(name));
                push_leaves(field, found, depth);
            }
        }
    }
}

/// As [`leaves`], of what a condition reads.
pub(super) fn leaves_of(value: &toolgate_expr::Value) -> Vec<Needle> {
    let mut found = Vec::new();
    push_leaves_of(value, &mut found, DEEPEST);
    found
}

fn push_leaves_of(value: &toolgate_expr::Value, found: &mut Vec<Needle>, depth: usize) {
    use toolgate_expr::Value;
    let Some(depth) = depth.checked_sub(1) else { return };
    match value {
        Value::Null => {}
        Value::Bool(flag) => found.extend(Needle::of(if *flag { "true" } else { "false" })),
        Value::Int(number) => found.extend(Needle::of(&number.to_string())),
        Value::Double(number) => found.extend(Needle::of(&number.to_string())),
        Value::Text(text) => found.extend(Needle::of(text)),
        Value::List(items) => items.iter().for_each(|item| push_leaves_of(item, found, depth)),
        Value::Map(fields) => {
            for (name, field) in fields {
                found.extend(Needle::of(name));
                push_leaves_of(field, found, depth);
            }
        }
    }
}
