//! Whether a text fits a pattern, tried on the sets of places where a match may end: no engine, and no
//! backtracking. Not whether the pattern is one, which is in [`crate::pattern`].

use std::collections::BTreeSet;

use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};

/// Steps that one try may take; what takes more is left to the contract.
const MOST: u32 = 200_000;

/// Places between the characters of a text, in bytes.
type Places = BTreeSet<usize>;

/// Whether the pattern is found in the text; `None` where that takes too long or can't be said here.
pub(super) fn is_match(pattern: &str, text: &str) -> Option<bool> {
    let hir = regex_syntax::parse(pattern).ok()?;
    let mut matching = Matching { text, left: MOST };
    let starts = text.char_indices().map(|(place, _)| place).chain([text.len()]).collect();
    matching.ends(&hir, starts).map(|ends| !ends.is_empty())
}

struct Matching<'t> {
    text: &'t str,
    left: u32,
}

impl Matching<'_> {
    /// Where the pattern may end that starts at one of these places.
    fn ends(&mut self, hir: &Hir, starts: Places) -> Option<Places> {
        self.left = self.left.checked_sub(u32::try_from(starts.len()).ok()?.saturating_add(1))?;
        if starts.is_empty() {
            return Some(starts);
        }
        match hir.kind() {
            HirKind::Empty => Some(starts),
            HirKind::Literal(literal) => {
                Some(self.step(&starts, |rest| rest.as_bytes().starts_with(&literal.0).then_some(literal.0.len())))
            }
            HirKind::Class(class) => Some(self.step(&starts, |rest| {
                let first = rest.chars().next()?;
                holds(class, first).then(|| first.len_utf8())
            })),
            HirKind::Look(look) => {
                let wanted = match look {
                    Look::Start => 0,
                    Look::End => self.text.len(),
                    _ => return None,
                };
                Some(starts.into_iter().filter(|place| *place == wanted).collect())
            }
            HirKind::Repetition(repetition) => self.repeated(repetition, starts),
            HirKind::Capture(capture) => self.ends(&capture.sub, starts),
            HirKind::Concat(parts) => parts.iter().try_fold(starts, |starts, part| self.ends(part, starts)),
            HirKind::Alternation(parts) => {
                let mut all = Places::new();
                for part in parts {
                    all.extend(self.ends(part, starts.clone())?);
                }
                Some(all)
            }
        }
    }

    fn step(&self, starts: &Places, length: impl Fn(&str) -> Option<usize>) -> Places {
        starts.iter().filter_map(|place| Some(place + length(self.text.get(*place..)?)?)).collect()
    }

    fn repeated(&mut self, repetition: &Repetition, starts: Places) -> Option<Places> {
        let mut now = starts;
        for _ in 0..repetition.min {
            now = self.ends(&repetition.sub, now)?;
        }
        let mut all = now.clone();
        let mut runs = repetition.min;
        // A place that was reached before leads nowhere new.
        while !now.is_empty() && repetition.max.is_none_or(|max| runs < max) {
            let next = self.ends(&repetition.sub, now)?;
            now = next.difference(&all).copied().collect();
            all.extend(&now);
            runs += 1;
        }
        Some(all)
    }
}

fn holds(class: &Class, letter: char) -> bool {
    match class {
        Class::Unicode(class) => class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&letter)),
        Class::Bytes(class) => {
            u8::try_from(letter).is_ok_and(|byte| class.ranges().iter().any(|r| (r.start()..=r.end()).contains(&byte)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_match;

    #[test]
    fn a_text_fits_its_pattern_or_does_not() {
        for (pattern, text, fits) in [
            ("^[a-z]{3}$", "abc", true),
            ("^[a-z]{3}$", "abcd", false),
            ("b+", "abbc", true),
            ("^(?:a|bc)*$", "abcbca", true),
            ("^(?:a|bc)*$", "abcb", false),
            ("^(?:a*)*$", "aaaa", true),
            ("^(?:a?){30}a{30}$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", true),
            ("^\\p{L}+$", "grün", true),
            ("^.$", "ü", true),
            ("^a{2,3}$", "aaaa", false),
            ("^a{2,3}b$", "aaab", true),
            ("^$", "", true),
            ("x", "", false),
        ] {
            assert_eq!(is_match(pattern, text), Some(fits), "{pattern} {text}");
        }
    }

    #[test]
    fn what_takes_too_long_is_left_open() {
        assert_eq!(is_match("^(?:(?:a?){500}){500}$", &"a".repeat(400)), None);
        assert_eq!(is_match("\\bword", "word"), None);
    }
}
