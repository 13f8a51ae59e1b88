//! Arguments against rules: every problem at once, where it is and what was expected. Values are
//! never said back; names are, where they are plain words.

use std::borrow::Cow;
use std::fmt::Write as _;

use toolgate_expr::nearest;

use super::Contract;
use super::members::Members;
use super::problem::Problem;
use super::rule::{FieldRule, Pattern, Rule, RuleId, TextRule, Word};
use super::wording::{describe_number, list_names, list_words, shown_name, with_article};
use super::work::{Work, count};
use crate::json::{Node, canonical};
use crate::tool::push_pointer;

/// Most problems told about one call.
pub const MAX_PROBLEMS: usize = 50;

/// Most known words that misspelt ones are compared with.
const MAX_COMPARED: usize = 20_000;
/// Longest text of what was expected, in bytes.
const MAX_EXPECTED: usize = 1_000;

type Entries<'e> = [(Cow<'e, str>, Node<'e>)];

pub(super) struct Check<'c> {
    pub(super) contract: &'c Contract,
    pub(super) pointer: String,
    pub(super) problems: Vec<Problem>,
    pub(super) work: Work,
    /// Comparisons that are left for "did you mean".
    pub(super) compared: usize,
    /// Lists of words that were told; the same is not told twice.
    pub(super) listed: Vec<&'c [Word]>,
}

impl<'c> Check<'c> {
    pub(super) fn run(contract: &'c Contract, node: &Node<'_>) -> Vec<Problem> {
        Self::at(contract, contract.root, node)
    }

    /// The problems of a value against one rule.
    pub(super) fn at(contract: &'c Contract, rule: RuleId, node: &Node<'_>) -> Vec<Problem> {
        Self::within(contract, rule, node, &mut Work::of(node))
    }

    /// The same, by work that is counted elsewhere.
    pub(super) fn within(contract: &'c Contract, rule: RuleId, node: &Node<'_>, work: &mut Work) -> Vec<Problem> {
        let mut check = Self::new(contract, String::new(), *work);
        check.rule(rule, node);
        *work = check.work;
        check.problems
    }

    pub(super) fn new(contract: &'c Contract, pointer: String, work: Work) -> Self {
        Self { contract, pointer, problems: Vec::new(), work, compared: MAX_COMPARED, listed: Vec::new() }
    }

    fn is_full(&self) -> bool {
        self.problems.len() >= MAX_PROBLEMS
    }

    pub(super) fn problem(&mut self, rule: &'static str, expected: impl Into<String>) {
        self.problem_near(rule, expected, None);
    }

    pub(super) fn problem_near(&mut self, rule: &'static str, expected: impl Into<String>, near: Option<&str>) {
        if !self.is_full() {
            let mut expected: String = expected.into();
            if expected.len() > MAX_EXPECTED {
                expected.truncate(expected.floor_char_boundary(MAX_EXPECTED));
                expected.push_str(" ..");
            }
            self.problems.push(Problem::new(&self.pointer, rule, expected).with_nearest(near));
        }
    }

    /// The nearest known word, while there is work left for it.
    pub(super) fn nearest<'w>(&mut self, word: &str, known: impl ExactSizeIterator<Item = &'w str>) -> Option<&'w str> {
        self.compared = self.compared.checked_sub(known.len())?;
        nearest(word, known)
    }

    pub(super) fn wrong_type(&mut self, expected: &str, node: &Node<'_>) {
        let wanted = |kind: &str| expected.contains(kind);
        // Some models write what they mean as text, once more as JSON.
        let hint = match node {
            Node::Text(text) if text.trim_start().starts_with('{') && wanted("an object") => {
                "; write the object itself, not a string that holds it"
            }
            Node::Text(text) if text.trim_start().starts_with('[') && wanted("an array") => {
                "; write the array itself, not a string that holds it"
            }
            _ => "",
        };
        self.problem("schema.type", format!("expected {expected}, got {}{hint}", with_article(node.kind())));
    }

    pub(super) fn inside(&mut self, segment: &str, check: impl FnOnce(&mut Self)) {
        let length = self.pointer.len();
        push_pointer(&mut self.pointer, segment);
        check(self);
        self.pointer.truncate(length);
    }

    fn item(&mut self, index: usize, check: impl FnOnce(&mut Self)) {
        let length = self.pointer.len();
        let written = write!(self.pointer, "/{index}");
        debug_assert!(written.is_ok(), "writing to a String can't fail");
        check(self);
        self.pointer.truncate(length);
    }

    pub(super) fn rule(&mut self, id: RuleId, node: &Node<'_>) {
        if self.is_full() {
            return;
        }
        if self.work.enter() {
            self.rule_itself(id, node);
        }
        self.work.leave();
        self.stop_if_too_complex();
    }

    fn rule_itself(&mut self, id: RuleId, node: &Node<'_>) {
        let contract = self.contract;
        match (contract.rule(id), node) {
            (Rule::Any, _) | (Rule::Null, Node::Null) | (Rule::Bool, Node::Bool(_)) => {}
            (Rule::Named { rule, .. }, node) => self.rule(*rule, node),
            (Rule::Integer { min, max }, Node::Integer(value)) => {
                if value < min || value > max {
                    self.problem("schema.range", format!("expected an integer from {min} to {max}"));
                }
            }
            (Rule::Integer { min, max }, Node::Float(_)) => {
                self.problem("schema.type", format!("expected a whole number from {min} to {max}"));
            }
            (Rule::Number(rule), Node::Integer(_) | Node::Float(_)) => {
                if !rule.allows(as_f64(node)) {
                    self.problem("schema.range", format!("expected {}", describe_number(rule)));
                }
            }
            (Rule::Text(rule), Node::Text(text)) => self.text(rule, text),
            (Rule::OneOf(words), Node::Text(text)) => self.word(words, text),
            (Rule::Literal(literal), node) => {
                if !is_same(literal, node) {
                    self.problem("schema.enum", format!("expected {}", canonical(literal)));
                }
            }
            (Rule::List { items, min, max, unique }, Node::List(nodes)) => {
                self.array((*min, *max, *unique), id, nodes);
                for (index, node) in nodes.iter().enumerate() {
                    self.item(index, |check| check.rule(*items, node));
                }
            }
            (Rule::Prefixed { prefix, rest, min, max, unique }, Node::List(nodes)) => {
                self.array((*min, *max, *unique), id, nodes);
                for (index, (node, rule)) in nodes.iter().zip(prefix.iter().chain(std::iter::repeat(rest))).enumerate()
                {
                    self.item(index, |check| check.rule(*rule, node));
                }
            }
            (Rule::Tuple(rules), Node::List(nodes)) => {
                if rules.len() != nodes.len() {
                    self.problem("schema.items", format!("expected exactly {} items", rules.len()));
                }
                for (index, (rule, node)) in rules.iter().zip(nodes).enumerate() {
                    self.item(index, |check| check.rule(*rule, node));
                }
            }
            (Rule::Object(fields), Node::Object(entries)) => {
                if let Some(members) = self.fields(fields, entries)
                    && !members.are_all_known()
                {
                    self.unexpected(fields, entries, &members, |_| true);
                }
            }
            (Rule::Open { fields, patterns, rest }, Node::Object(entries)) => {
                if let Some(members) = self.fields(fields, entries)
                    && !members.are_all_known()
                {
                    self.open(fields, patterns, *rest, entries, &members);
                }
            }
            (Rule::Also { rule, asks }, node) => self.also(*rule, asks, node),
            (Rule::Map { values, max }, Node::Object(entries)) => {
                self.length("schema.items", entries.len(), 0, *max, "entries");
                for (name, node) in entries {
                    self.inside(shown_name(name), |check| check.rule(*values, node));
                }
            }
            (Rule::AnyOf(options), node) => self.any_of(options, node),
            (Rule::ExactlyOne(options), node) => self.exactly_one(options, node),
            (rule, node) => self.wrong_type(self.contract.kind(rule), node),
        }
    }

    /// What holds for an array as a whole. Items are compared as they are once they are completed.
    fn array(&mut self, (min, max, unique): (u32, u32, bool), id: RuleId, nodes: &[Node<'_>]) {
        self.length("schema.items", nodes.len(), min, max, "items");
        if unique && nodes.len() > 1 {
            let steps = nodes.iter().map(count).sum();
            let whole = self.work.take(steps).then(|| Node::List(nodes.to_vec()));
            let whole = whole.and_then(|whole| self.contract.complete(id, whole, &mut self.work));
            if let Some(Node::List(whole)) = whole
                && (has_repeats(nodes) || has_repeats(&whole))
            {
                self.problem("schema.unique", "expected items that differ");
            }
        }
    }

    pub(super) fn length(&mut self, rule: &'static str, length: usize, min: u32, max: u32, unit: &str) {
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        let (word, bound) = match length {
            _ if length < min => ("least", min),
            _ if length > max => ("most", max),
            _ => return,
        };
        let unit = match (bound, unit) {
            (1, "entries") => "entry",
            (1, "characters") => "character",
            (1, "items") => "item",
            _ => unit,
        };
        self.problem(rule, format!("expected at {word} {bound} {unit}"));
    }

    fn text(&mut self, rule: &TextRule, text: &str) {
        // Bytes never count fewer than characters, so short text needs no counting.
        if rule.min > 0 || text.len() > rule.max as usize {
            self.length("schema.length", text.chars().count(), rule.min, rule.max, "characters");
        }
        if let Some(pattern) = &rule.pattern
            && !pattern.regex.is_match(text)
        {
            self.problem("schema.pattern", format!("expected text that matches `{}`", pattern.text));
        }
        if let Some(format) = rule.format
            && !format.allows(text)
        {
            self.problem("schema.format", format!("expected text in the format `{}`", format.as_str()));
        }
    }

    fn word(&mut self, words: &'c [Word], text: &str) {
        if !self.work.look(words.len()) || words.iter().any(|word| word.value == text) {
            return;
        }
        let near = self.nearest(text, words.iter().map(|word| word.value.as_str()));
        let expected = if self.listed.iter().any(|listed| std::ptr::eq(*listed, words)) {
            "expected one of the same words".to_owned()
        } else {
            self.listed.push(words);
            format!("expected one of {}", list_words(words))
        };
        self.problem_near("schema.enum", expected, near);
    }

    /// Checks the members that have a field, and gives which they are.
    fn fields(&mut self, fields: &[FieldRule], entries: &Entries<'_>) -> Option<Members> {
        let members = Members::of(fields, entries, &mut self.work)?;
        for (field, place) in fields.iter().zip(members.places()) {
            match place.and_then(|place| entries.get(place)) {
                Some((_, Node::Null)) if field.null_is_absent => {}
                Some((name, node)) => self.inside(name, |check| check.rule(field.rule, node)),
                None if field.required => {
                    self.inside(&field.name, |check| {
                        let expected = check.contract.expectation(field.rule);
                        check.problem("schema.required", format!("required and missing, expected {expected}"));
                    });
                }
                None => {}
            }
        }
        Some(members)
    }

    /// Checks the members that have no field, by what their names match.
    fn open(
        &mut self,
        fields: &[FieldRule],
        patterns: &'c [(Pattern, RuleId)],
        rest: Option<RuleId>,
        entries: &Entries<'_>,
        members: &Members,
    ) {
        for (_, (name, node)) in entries.iter().enumerate().filter(|(at, _)| !members.is_known(*at)) {
            if !self.work.take(patterns.len()) {
                return;
            }
            let mut matching = patterns.iter().filter(|(pattern, _)| pattern.regex.is_match(name)).peekable();
            let rest = rest.filter(|_| matching.peek().is_none());
            for rule in matching.map(|(_, rule)| *rule).chain(rest) {
                self.inside(shown_name(name), |check| check.rule(rule, node));
            }
        }
        if rest.is_none() {
            let matches = |name: &str| patterns.iter().any(|(pattern, _)| pattern.regex.is_match(name));
            self.unexpected(fields, entries, members, |name| !matches(name));
        }
    }

    fn unexpected(
        &mut self,
        fields: &[FieldRule],
        entries: &Entries<'_>,
        members: &Members,
        counts: impl Fn(&str) -> bool,
    ) {
        // A name that is already given can't be what was meant.
        let free = fields.iter().zip(members.places()).filter(|(_, place)| place.is_none());
        let free: Vec<&str> = free.map(|(field, _)| field.name.as_str()).collect();
        let mut expected = match fields {
            [] => "no such argument; this takes none".to_owned(),
            fields => format!("no such argument; known are {}", list_names(fields)),
        };
        let others = entries.iter().enumerate().filter(|(at, _)| !members.is_known(*at));
        for (_, (name, _)) in others.filter(|(_, (name, _))| counts(name)) {
            if self.is_full() {
                return;
            }
            let near = self.nearest(name, free.iter().copied());
            let said = std::mem::replace(&mut expected, "no such argument".to_owned());
            self.inside(shown_name(name), |check| check.problem_near("schema.additional", said, near));
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "the scanner keeps integers within 2^53-1")]
pub(super) fn as_f64(node: &Node<'_>) -> f64 {
    match node {
        Node::Integer(value) => *value as f64,
        Node::Float(value) => *value,
        _ => f64::NAN,
    }
}

pub(super) fn has_repeats(nodes: &[Node<'_>]) -> bool {
    let mut texts: Vec<String> = nodes.iter().map(canonical).collect();
    texts.sort_unstable();
    texts.windows(2).any(|pair| matches!(pair, [first, second] if first == second))
}

/// Equal whatever the order of members is.
fn is_same(literal: &Node<'_>, node: &Node<'_>) -> bool {
    match node {
        Node::List(_) | Node::Object(_) => canonical(literal) == canonical(node),
        node => literal == node,
    }
}
