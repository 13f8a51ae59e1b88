//! Makes accepted arguments complete: defaults are filled in, and what means "left out" is left out,
//! so that one call has one canonical text. Runs after the check.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::Contract;
use super::check::Check;
use super::fault::SpecFault;
use super::members::Members;
use super::rule::{FieldRule, Rule, RuleId};
use super::work::Work;
use crate::json::{Node, canonical};

/// Most rounds in which a default is completed by other defaults.
const MAX_ROUNDS: usize = 16;
/// Longest default, as canonical text, once it is completed.
const MAX_DEFAULT: usize = 20_000;

impl Contract {
    /// Completes the defaults themselves, so that filling once is enough.
    pub(super) fn complete_defaults(&mut self, tool: &str) -> Result<(), SpecFault> {
        let mut whole = Vec::new();
        for (id, rule) in self.rules.iter().enumerate() {
            let (Rule::Object(fields) | Rule::Open { fields, .. }) = rule else { continue };
            for (at, field) in fields.iter().enumerate() {
                let Some(Node::Object(_) | Node::List(_)) = &field.default else { continue };
                let default = self.complete_default(field).ok_or_else(|| {
                    let text = "a default that needs itself, or is too large with the defaults inside it";
                    SpecFault::new(tool, &field.name, "spec.literal", text)
                })?;
                whole.push((id, at, default));
            }
        }
        for (id, at, default) in whole {
            if let Some(Rule::Object(fields) | Rule::Open { fields, .. }) = self.rules.get_mut(id)
                && let Some(field) = fields.get_mut(at)
            {
                field.default = Some(default);
            }
        }
        Ok(())
    }

    fn complete_default(&self, field: &FieldRule) -> Option<Node<'static>> {
        let mut default = field.default.clone()?;
        let mut before = canonical(&default);
        for _ in 0..MAX_ROUNDS {
            let work = &mut Work::of(&default);
            default = self.complete(field.rule, default, work)?;
            let text = canonical(&default);
            if text == before {
                return Some(default);
            }
            if text.len() > MAX_DEFAULT {
                return None;
            }
            before = text;
        }
        None
    }

    /// The whole value, or none where that takes too much work.
    pub(super) fn complete<'n>(&self, id: RuleId, mut node: Node<'n>, work: &mut Work) -> Option<Node<'n>> {
        self.fill_in(id, &mut node, work);
        (!work.is_out()).then_some(node)
    }

    pub(super) fn fill_in(&self, id: RuleId, node: &mut Node<'_>, work: &mut Work) {
        if work.enter() {
            self.fill_by(self.rule(id), node, work);
        }
        work.leave();
    }

    fn fill_by(&self, rule: &Rule, node: &mut Node<'_>, work: &mut Work) {
        match (rule, node) {
            (Rule::Object(fields), Node::Object(entries)) => self.complete_object(fields, entries, work),
            (Rule::Map { values, .. }, Node::Object(entries)) => {
                entries.iter_mut().for_each(|(_, node)| self.fill_in(*values, node, work));
            }
            (Rule::List { items, .. }, Node::List(nodes)) => {
                nodes.iter_mut().for_each(|node| self.fill_in(*items, node, work));
            }
            (Rule::Tuple(rules), Node::List(nodes)) => {
                rules.iter().zip(nodes).for_each(|(rule, node)| self.fill_in(*rule, node, work));
            }
            (Rule::Prefixed { prefix, rest, .. }, Node::List(nodes)) => {
                let rules = prefix.iter().chain(std::iter::repeat(rest));
                rules.zip(nodes).for_each(|(rule, node)| self.fill_in(*rule, node, work));
            }
            (Rule::Open { fields, patterns, rest }, Node::Object(entries)) => {
                let Some(members) = Members::of(fields, entries, work) else { return };
                for (_, (name, node)) in entries.iter_mut().enumerate().filter(|(at, _)| !members.is_known(*at)) {
                    let mut matching = patterns.iter().filter(|(pattern, _)| pattern.regex.is_match(name)).peekable();
                    let rest = rest.filter(|_| matching.peek().is_none());
                    matching.map(|(_, rule)| *rule).chain(rest).for_each(|rule| self.fill_in(rule, node, work));
                }
                self.complete_object(fields, entries, work);
            }
            (Rule::Named { rule, .. } | Rule::Also { rule, .. }, node) => self.fill_in(*rule, node, work),
            (Rule::AnyOf(options) | Rule::ExactlyOne(options), node) => {
                if !matches!(node, Node::Object(_) | Node::List(_)) {
                    return;
                }
                // What is filled in may make an earlier option fit, never a later one.
                let mut before = None;
                for _ in options {
                    let fitting = options.iter().find(|option| Check::within(self, **option, node, work).is_empty());
                    match fitting {
                        Some(option) if before != fitting => self.fill_in(*option, node, work),
                        _ => break,
                    }
                    before = fitting;
                }
            }
            _ => {}
        }
    }

    fn complete_object(&self, fields: &[FieldRule], entries: &mut Vec<(Cow<'_, str>, Node<'_>)>, work: &mut Work) {
        let Some(members) = Members::of(fields, entries, work) else { return };
        let mut absent = BTreeSet::new();
        for (field, place) in fields.iter().zip(members.places()) {
            match place.and_then(|at| Some((at, entries.get_mut(at)?))) {
                Some((at, (_, Node::Null))) if field.null_is_absent => {
                    absent.insert(at);
                }
                Some((_, (_, node))) => self.fill_in(field.rule, node, work),
                None => {
                    if let Some(default) = field.default.as_ref().and_then(|default| work.copy(default)) {
                        entries.push((Cow::Owned(field.name.clone()), default));
                    }
                }
            }
        }
        if !absent.is_empty() {
            let mut at = 0..;
            entries.retain(|_| at.next().is_none_or(|at| !absent.contains(&at)));
        }
    }
}
