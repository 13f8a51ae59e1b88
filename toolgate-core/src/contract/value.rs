//! The schemas of single values: numbers, texts, words, fixed values. Not what holds others, which is
//! `schema.rs`.

use super::draft::{Draft, Notes, object, text};
use super::rule::{NumberRule, Pattern, Rule, TextRule, Word};
use super::schema::{Usual, Writer};
use super::style::{Anything, Fixed, Nulls, Patterns, Ranges};
use crate::json::{Node, canonical};
use crate::spec::shape::DEFAULT_TEXT_MAX;

impl Writer<'_> {
    pub(super) fn value(&mut self, rule: &Rule) -> Draft {
        match rule {
            Rule::Null => self.null(),
            Rule::Bool => Draft::of("boolean"),
            Rule::Integer { min, max } => self.integer(*min, *max),
            Rule::Number(rule) => self.number(*rule),
            Rule::Text(rule) => self.text(rule),
            Rule::OneOf(words) => self.words(words),
            Rule::Literal(literal) if self.style.fixed == Fixed::Const => {
                Draft::default().with("const", literal.clone())
            }
            Rule::Literal(literal) => self.fixed(&[literal]),
            _ => self.anything(),
        }
    }

    fn null(&self) -> Draft {
        if self.style.nulls != Nulls::Keyword {
            return Draft::of("null");
        }
        let mut draft = Draft::of("string").nullable(self.style);
        draft.say("type", "Always null.");
        draft
    }

    pub(super) fn anything(&self) -> Draft {
        const TYPES: [&str; 6] = ["object", "array", "string", "number", "boolean", "null"];
        let mut draft = Draft::default();
        match self.style.anything {
            Anything::Types => {
                draft.put("type", Node::List(TYPES.map(text).into()));
                if self.style.spelt_out {
                    draft.put("properties", object(Vec::new()));
                    draft.put("additionalProperties", object(Vec::new()));
                    draft.put("items", object(Vec::new()));
                }
            }
            Anything::Forms => {
                let mut list = Draft::of("array");
                list.put("items", object(Draft::of("string").members));
                let [texts, numbers, flags, objects] = ["string", "number", "boolean", "object"].map(Draft::of);
                let forms = [texts, numbers, flags, objects, list];
                draft.parts("anyOf", forms.map(|form| (object(form.members), Notes::default())).into());
                draft = draft.nullable(self.style);
                draft.say("type", "Any JSON value.");
            }
            Anything::Never => draft.cannot("a value of any kind"),
        }
        draft
    }

    fn integer(&mut self, min: i64, max: i64) -> Draft {
        let usual = |bound: i64| self.style.usual_bounds_once && bound.abs() == Node::MAX_INTEGER;
        let (low, high) = ((!usual(min)).then_some(min), (!usual(max)).then_some(max));
        if low.is_none() || high.is_none() {
            self.usual.insert(Usual::Integers);
        }
        let mut draft = Draft::of("integer");
        let bounds = [low, high].map(|bound| bound.map(Node::Integer));
        self.range(&mut draft, bounds);
        draft
    }

    fn number(&self, rule: NumberRule) -> Draft {
        let mut draft = Draft::of("number");
        let bound = |bound: f64| bound.is_finite().then_some(Node::Float(bound));
        self.range(&mut draft, [rule.min, rule.max].map(bound));
        for (keyword, word, open) in
            [("exclusiveMinimum", "More", bound(rule.above)), ("exclusiveMaximum", "Less", bound(rule.below))]
        {
            let Some(open) = open else { continue };
            if self.style.ranges == Ranges::All {
                draft.put(keyword, open);
            } else {
                draft.say(keyword, format!("{word} than {}.", canonical(&open)));
            }
        }
        draft
    }

    fn range(&self, draft: &mut Draft, [low, high]: [Option<Node<'static>>; 2]) {
        if self.style.ranges != Ranges::Words {
            for (keyword, bound) in [("minimum", low), ("maximum", high)] {
                if let Some(bound) = bound {
                    draft.put(keyword, bound);
                }
            }
            return;
        }
        match (low.as_ref().map(canonical), high.as_ref().map(canonical)) {
            (Some(low), Some(high)) => draft.say("minimum", format!("From {low} to {high}.")),
            (Some(low), None) => draft.say("minimum", format!("At least {low}.")),
            (None, Some(high)) => draft.say("maximum", format!("At most {high}.")),
            (None, None) => {}
        }
    }

    fn text(&mut self, rule: &TextRule) -> Draft {
        let mut draft = Draft::of("string");
        self.length(&mut draft, rule);
        if let Some(pattern) = &rule.pattern {
            self.pattern(&mut draft, pattern);
        }
        if let Some(format) = rule.format.or(rule.shown).map(super::rule::Format::as_str) {
            if self.style.formats.is_none_or(|known| known.contains(&format)) {
                draft.put("format", text(format));
            } else {
                draft.say("format", format!("In the format `{format}`."));
            }
        }
        draft
    }

    fn length(&mut self, draft: &mut Draft, rule: &TextRule) {
        let usual = self.style.usual_bounds_once && rule.max == DEFAULT_TEXT_MAX;
        if usual {
            self.usual.insert(Usual::Texts);
        }
        if self.style.lengths {
            if rule.min > 0 {
                draft.put("minLength", Node::Integer(rule.min.into()));
            }
            if !usual && rule.max < u32::MAX {
                draft.put("maxLength", Node::Integer(rule.max.into()));
            }
            return;
        }
        let characters = |count: u32| if count == 1 { "1 character".to_owned() } else { format!("{count} characters") };
        let (min, max) = (rule.min, rule.max);
        match (min > 0, usual || max == u32::MAX) {
            (true, true) => draft.say("minLength", format!("At least {}.", characters(min))),
            (true, false) if min == max => draft.say("minLength", format!("Exactly {}.", characters(min))),
            (true, false) => draft.say("minLength", format!("From {min} to {}.", characters(max))),
            (false, false) => draft.say("maxLength", format!("At most {}.", characters(max))),
            (false, true) => {}
        }
    }

    fn pattern(&self, draft: &mut Draft, pattern: &Pattern) {
        let has_keyword = match self.style.patterns {
            Patterns::All => true,
            Patterns::Portable => is_portable(&pattern.text),
            Patterns::Words => false,
        };
        if has_keyword {
            draft.put("pattern", text(pattern.text.clone()));
        } else {
            draft.say("pattern", format!("Matches the regular expression `{}`.", pattern.text));
        }
    }

    fn words(&self, words: &[Word]) -> Draft {
        let mut values: Vec<Node<'static>> = Vec::with_capacity(words.len());
        for word in words {
            let value = text(word.value.clone());
            if !values.contains(&value) {
                values.push(value);
            }
        }
        self.enumerated("string", values)
    }

    fn enumerated(&self, kind: &'static str, values: Vec<Node<'static>>) -> Draft {
        let is_empty = |value: &Node<'_>| matches!(value, Node::Text(word) if word.is_empty());
        let mut draft = Draft::of(kind);
        if self.style.fixed == Fixed::Texts && (kind != "string" || values.iter().any(is_empty)) {
            let each: Vec<String> = values.iter().map(canonical).collect();
            draft.say("enum", format!("One of {}.", each.join(", ")));
        } else {
            draft.put("enum", Node::List(values));
        }
        draft
    }

    /// These values and no others, for styles without `const`.
    pub(super) fn fixed(&self, literals: &[&Node<'static>]) -> Draft {
        let mut kinds: Vec<(&'static str, Vec<Node<'static>>)> = Vec::new();
        let mut has_null = false;
        for literal in literals {
            let kind = match literal {
                Node::Null => {
                    has_null = true;
                    continue;
                }
                literal => literal.kind(),
            };
            match kinds.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, values)) if values.contains(literal) => {}
                Some((_, values)) => values.push((*literal).clone()),
                None => kinds.push((kind, vec![(*literal).clone()])),
            }
        }
        let mut drafts = kinds.into_iter().map(|(kind, values)| {
            let mut draft = self.enumerated(kind, values);
            if matches!(kind, "array" | "object") {
                draft.cannot("a fixed array or object");
            }
            draft
        });
        let draft = match (drafts.next(), drafts.next()) {
            (None, _) => return self.null(),
            (Some(only), None) => only,
            (Some(first), Some(second)) => {
                let mut union = Draft::default();
                let each = [first, second].into_iter().chain(drafts);
                union.parts("anyOf", each.map(|draft| draft.finish(self.style, "", Vec::new())).collect());
                union
            }
        };
        if has_null { draft.nullable(self.style) } else { draft }
    }
}

/// Whether readers of regular expressions agree on it: nothing that only Rust has, and no classes of
/// Unicode.
fn is_portable(pattern: &str) -> bool {
    let escapes = "dDwWsSnrtf.*+?()[]{}|^$/-\\";
    let mut letters = pattern.chars().peekable();
    let mut in_class = false;
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied();
        match letter {
            '\\' => match letters.next() {
                Some(escaped) if escapes.contains(escaped) => {}
                _ => return false,
            },
            '[' if in_class => return false,
            '[' => in_class = true,
            ']' => in_class = false,
            '&' | '-' | '~' if in_class && next == Some(letter) => return false,
            '(' if !in_class && next == Some('?') => {
                letters.next();
                if letters.peek() != Some(&':') {
                    return false;
                }
            }
            _ => {}
        }
    }
    pattern.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::is_portable;

    #[test]
    fn patterns_that_only_rust_reads_are_not_portable() {
        for pattern in ["^[a-z-]+$", "^(?:a|b){1,3}$", r"\d\.\-", "^[^/]+$"] {
            assert!(is_portable(pattern), "{pattern}");
        }
        for pattern in [r"\p{L}", "(?i)a", "(?P<n>a)", r"\Aa\z", "[[:alpha:]]", "[a&&b]", r"\bword", "ä", r"a\"] {
            assert!(!is_portable(pattern), "{pattern}");
        }
    }
}
