//! Arguments against rules: every problem at once, where it is and what was expected. Values are
//! never said back; names are, where they are plain words.

use std::collections::HashSet;
use std::fmt::Write as _;

use toolgate_expr::nearest;

use super::Contract;
use super::problem::Problem;
use super::rule::{FieldRule, Rule, RuleId, TextRule, Word};
use crate::json::{Node, canonical};
use crate::tool::push_pointer;

/// Most problems told about one call.
pub const MAX_PROBLEMS: usize = 50;
/// Longest name of the model's own that is said back in a pointer.
const MAX_NAME: usize = 64;

/// Most known words that misspelt ones are compared with.
const MAX_COMPARED: usize = 20_000;
/// Longest text of what was expected, in bytes.
const MAX_EXPECTED: usize = 1_000;
/// Most words and names in one list, and most bytes of them.
const LISTED: usize = 30;
const LIST_BYTES: usize = 800;

/// Most rules that one value is held against. Choices inside of choices could ask for any number.
const MAX_STEPS: u32 = 200_000;

pub(super) struct Check<'c> {
    contract: &'c Contract,
    pointer: String,
    problems: Vec<Problem>,
    steps: u32,
    /// Comparisons that are left for "did you mean".
    compared: usize,
    /// Lists of words that were told; the same is not told twice.
    listed: Vec<&'c [Word]>,
}

impl<'c> Check<'c> {
    pub(super) fn run(contract: &'c Contract, node: &Node<'_>) -> Vec<Problem> {
        Self::at(contract, contract.root, node)
    }

    /// The problems of a value against one rule.
    pub(super) fn at(contract: &'c Contract, rule: RuleId, node: &Node<'_>) -> Vec<Problem> {
        let mut check = Self::new(contract, String::new());
        check.rule(rule, node);
        check.problems
    }

    fn new(contract: &'c Contract, pointer: String) -> Self {
        Self { contract, pointer, problems: Vec::new(), steps: 0, compared: MAX_COMPARED, listed: Vec::new() }
    }

    fn is_full(&self) -> bool {
        self.problems.len() >= MAX_PROBLEMS
    }

    fn problem(&mut self, rule: &'static str, expected: impl Into<String>) {
        self.problem_near(rule, expected, None);
    }

    fn problem_near(&mut self, rule: &'static str, expected: impl Into<String>, near: Option<&str>) {
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
    fn nearest<'w>(&mut self, word: &str, known: impl ExactSizeIterator<Item = &'w str>) -> Option<&'w str> {
        self.compared = self.compared.checked_sub(known.len())?;
        nearest(word, known)
    }

    fn wrong_type(&mut self, expected: &str, node: &Node<'_>) {
        self.problem("schema.type", format!("expected {expected}, got {}", with_article(node.kind())));
    }

    fn inside(&mut self, segment: &str, check: impl FnOnce(&mut Self)) {
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

    fn rule(&mut self, id: RuleId, node: &Node<'_>) {
        if self.is_full() {
            return;
        }
        self.steps += 1;
        if self.steps > MAX_STEPS {
            if self.steps == MAX_STEPS + 1 {
                self.problem("schema.too_complex", "expected arguments that take less work to check");
            }
            return;
        }
        let contract = self.contract;
        match (contract.rule(id), node) {
            (Rule::Any, _) | (Rule::Null, Node::Null) | (Rule::Bool, Node::Bool(_)) => {}
            (Rule::Named { rule, .. }, node) => self.rule(*rule, node),
            (Rule::Integer { min, max }, Node::Integer(value)) => {
                if value < min || value > max {
                    self.problem("schema.range", format!("expected an integer from {min} to {max}"));
                }
            }
            (Rule::Integer { .. }, Node::Float(_)) => self.problem("schema.type", "expected a whole number"),
            (Rule::Number(rule), Node::Integer(_) | Node::Float(_)) => {
                if !rule.allows(as_f64(node)) {
                    self.problem("schema.range", format!("expected {}", describe_number(rule)));
                }
            }
            (Rule::Text(rule), Node::Text(text)) => self.text(rule, text),
            (Rule::OneOf(words), Node::Text(text)) => self.word(words, text),
            (Rule::Literal(literal), node) => {
                if literal != node {
                    self.problem("schema.enum", format!("expected {}", canonical(literal)));
                }
            }
            (Rule::List { items, min, max, unique }, Node::List(nodes)) => {
                self.length("schema.items", nodes.len(), *min, *max, "items");
                if *unique && has_repeats(nodes) {
                    self.problem("schema.unique", "expected items that differ");
                }
                for (index, node) in nodes.iter().enumerate() {
                    self.item(index, |check| check.rule(*items, node));
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
            (Rule::Object(fields), Node::Object(entries)) => self.object(fields, entries),
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

    fn length(&mut self, rule: &'static str, length: usize, min: u32, max: u32, unit: &str) {
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        let (word, bound) = match length {
            _ if length < min => ("least", min),
            _ if length > max => ("most", max),
            _ => return,
        };
        let unit = match (bound, unit) {
            (1, "entries") => "entry",
            (1, unit) => unit.trim_end_matches('s'),
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
        if words.iter().any(|word| word.value == text) {
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

    fn object(&mut self, fields: &[FieldRule], entries: &[(std::borrow::Cow<'_, str>, Node<'_>)]) {
        let mut known = 0;
        for field in fields {
            match entries.iter().find(|(name, _)| *name == field.name) {
                Some((name, node)) => {
                    known += 1;
                    if !(field.null_is_absent && matches!(node, Node::Null)) {
                        self.inside(name, |check| check.rule(field.rule, node));
                    }
                }
                None if field.required => {
                    self.inside(&field.name, |check| {
                        let expected = check.contract.expectation(field.rule);
                        check.problem("schema.required", format!("required and missing, expected {expected}"));
                    });
                }
                None => {}
            }
        }
        if known < entries.len() {
            self.unexpected(fields, entries);
        }
    }

    fn unexpected(&mut self, fields: &[FieldRule], entries: &[(std::borrow::Cow<'_, str>, Node<'_>)]) {
        let given: HashSet<&str> = entries.iter().map(|(name, _)| &**name).collect();
        let known: HashSet<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        // A name that is already given can't be what was meant.
        let free: Vec<&str> =
            fields.iter().map(|field| field.name.as_str()).filter(|name| !given.contains(name)).collect();
        let mut expected = match fields {
            [] => "no such argument; this takes none".to_owned(),
            fields => format!("no such argument; known are {}", list_names(fields)),
        };
        for (name, _) in entries.iter().filter(|(name, _)| !known.contains(&**name)) {
            if self.is_full() {
                return;
            }
            let near = self.nearest(name, free.iter().copied());
            let said = std::mem::replace(&mut expected, "no such argument".to_owned());
            self.inside(shown_name(name), |check| check.problem_near("schema.additional", said, near));
        }
    }

    /// The problems of the option that fits best, or one problem that names what would fit.
    fn any_of(&mut self, options: &[RuleId], node: &Node<'_>) {
        let mut best: Option<Vec<Problem>> = None;
        let mut fitting = 0;
        for option in options {
            let problems = self.attempt(*option, node);
            if problems.is_empty() {
                return;
            }
            // An option that is wrong at this very place is not what was meant.
            let here = problems.iter().any(|problem| problem.pointer == self.pointer && problem.rule == "schema.type");
            if !here {
                fitting += 1;
                if best.as_ref().is_none_or(|best| problems.len() < best.len()) {
                    best = Some(problems);
                }
            }
        }
        match best {
            Some(problems) if fitting == 1 || !matches!(node, Node::Object(_)) => {
                let room = MAX_PROBLEMS.saturating_sub(self.problems.len());
                self.problems.extend(problems.into_iter().take(room));
            }
            _ => {
                let kinds = self.contract.kinds(options);
                self.problem("schema.type", format!("expected {kinds}, got {}", with_article(node.kind())));
            }
        }
    }

    fn exactly_one(&mut self, options: &[RuleId], node: &Node<'_>) {
        let fitting = options.iter().filter(|option| self.attempt(**option, node).is_empty()).take(2).count();
        match fitting {
            0 => self.any_of(options, node),
            1 => {}
            _ => self.problem("schema.one_of", "expected a value that fits one of the choices only"),
        }
    }

    fn attempt(&mut self, option: RuleId, node: &Node<'_>) -> Vec<Problem> {
        let pointer = self.pointer.clone();
        let mut check = Check { steps: self.steps, compared: self.compared, ..Check::new(self.contract, pointer) };
        check.rule(option, node);
        // The work of an option that didn't fit was done all the same.
        self.steps = check.steps.min(MAX_STEPS);
        self.compared = check.compared;
        check.problems
    }
}

pub(super) fn list_words(words: &[Word]) -> String {
    list(words.len(), words.iter().map(|word| word.value.as_str()))
}

fn list_names(fields: &[FieldRule]) -> String {
    list(fields.len(), fields.iter().map(|field| field.name.as_str()))
}

fn list<'w>(count: usize, words: impl Iterator<Item = &'w str>) -> String {
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

fn with_article(kind: &str) -> String {
    match kind {
        "null" => "null".to_owned(),
        "array" | "object" | "integer" => format!("an {kind}"),
        _ => format!("a {kind}"),
    }
}

#[expect(clippy::cast_precision_loss, reason = "the scanner keeps integers within 2^53-1")]
fn as_f64(node: &Node<'_>) -> f64 {
    match node {
        Node::Integer(value) => *value as f64,
        Node::Float(value) => *value,
        _ => f64::NAN,
    }
}

fn describe_number(rule: &super::rule::NumberRule) -> String {
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

pub(super) fn has_repeats(nodes: &[Node<'_>]) -> bool {
    let mut texts: Vec<String> = nodes.iter().map(canonical).collect();
    texts.sort_unstable();
    texts.windows(2).any(|pair| matches!(pair, [first, second] if first == second))
}
