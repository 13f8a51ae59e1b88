//! Choices of exactly one schema whose options are closed here and weren't as they were given: which of
//! them could let a value pass that the given schema refuses. Not how the options are built.

use crate::contract::compile::Compiler;
use crate::contract::rule::{FieldRule, Rule, RuleId};

/// Deepest rules that are compared.
const DEPTH: usize = 8;

/// An option as it is built, and whether the schema itself says that no other names are allowed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Built {
    pub rule: RuleId,
    pub said_closed: bool,
}

impl Compiler<'_> {
    /// Whether a value that fits one option could fit another, were that one open as it was given.
    pub(super) fn could_overlap(&self, options: &[Built]) -> bool {
        let pairs = options.iter().enumerate().flat_map(|(at, option)| {
            options.iter().enumerate().filter(move |(other, _)| *other != at).map(move |(_, other)| (*option, *other))
        });
        pairs.into_iter().any(|(option, other)| !self.is_apart(option, other))
    }

    /// Whether what fits the first can't fit the second only because that is open to more names.
    fn is_apart(&self, first: Built, second: Built) -> bool {
        let (Some(one), Some(other)) = (self.plain(first.rule), self.plain(second.rule)) else { return false };
        match (one, other) {
            (one, other) if is_scalar(one) || is_scalar(other) => true,
            (Rule::List { items, .. }, Rule::List { items: others, .. }) => {
                self.says_all(*items) || self.says_all(*others)
            }
            (Rule::List { .. }, Rule::Object(_) | Rule::Map { .. })
            | (Rule::Object(_) | Rule::Map { .. }, Rule::List { .. }) => true,
            (Rule::Object(_) | Rule::Map { .. }, Rule::Map { values, .. }) => self.says_all(*values),
            (Rule::Object(fields), Rule::Object(others)) => {
                let known = |name: &str| fields.iter().find(|field| field.name == name);
                others.iter().any(|other| other.required && known(&other.name).is_none())
                    || others.iter().any(|other| known(&other.name).is_some_and(|field| self.is_tag(field, other)))
                    || {
                        let named = |name: &str| others.iter().any(|other| other.name == name);
                        let shared = others.iter().filter(|other| known(&other.name).is_some());
                        (second.said_closed || fields.iter().all(|field| named(&field.name)))
                            && shared.into_iter().all(|other| self.says_all(other.rule))
                    }
            }
            _ => false,
        }
    }

    /// A member that both must have, with words of its own in each.
    fn is_tag(&self, one: &FieldRule, other: &FieldRule) -> bool {
        let words = |field: &FieldRule| match self.plain(field.rule) {
            Some(Rule::OneOf(words)) => Some(words),
            _ => None,
        };
        let (Some(ones), Some(others)) = (words(one), words(other)) else { return false };
        one.required && other.required && !ones.iter().any(|one| others.iter().any(|other| other.value == one.value))
    }

    /// Whether a rule holds no object that is closed.
    fn says_all(&self, rule: RuleId) -> bool {
        self.plain(rule).is_some_and(|rule| is_scalar(rule) || matches!(rule, Rule::Any))
    }

    fn plain(&self, mut id: RuleId) -> Option<&Rule> {
        for _ in 0..DEPTH {
            match self.rules.get(id)? {
                Rule::Named { rule, .. } | Rule::Also { rule, .. } => id = *rule,
                rule => return Some(rule),
            }
        }
        None
    }
}

fn is_scalar(rule: &Rule) -> bool {
    matches!(
        rule,
        Rule::Null
            | Rule::Bool
            | Rule::Integer { .. }
            | Rule::Number(_)
            | Rule::Text(_)
            | Rule::OneOf(_)
            | Rule::Literal(_)
    )
}
