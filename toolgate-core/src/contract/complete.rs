//! Makes accepted arguments complete: defaults are filled in, and what means "left out" is left out,
//! so that one call has one canonical text. Runs after the check.

use std::borrow::Cow;

use super::Contract;
use super::check::Check;
use super::rule::{FieldRule, Rule, RuleId};
use crate::json::Node;

impl Contract {
    pub(super) fn complete(&self, id: RuleId, node: &mut Node<'_>) {
        match (self.rule(id), node) {
            (Rule::Object(fields), Node::Object(entries)) => self.complete_object(fields, entries),
            (Rule::Map { values, .. }, Node::Object(entries)) => {
                entries.iter_mut().for_each(|(_, node)| self.complete(*values, node));
            }
            (Rule::List { items, .. }, Node::List(nodes)) => {
                nodes.iter_mut().for_each(|node| self.complete(*items, node));
            }
            (Rule::Tuple(rules), Node::List(nodes)) => {
                rules.iter().zip(nodes).for_each(|(rule, node)| self.complete(*rule, node));
            }
            (Rule::Named { rule, .. }, node) => self.complete(*rule, node),
            (Rule::AnyOf(options), node) => {
                if !matches!(node, Node::Object(_) | Node::List(_)) {
                    return;
                }
                let fitting = options.iter().find(|option| Check::at(self, **option, node).is_empty());
                if let Some(option) = fitting {
                    self.complete(*option, node);
                }
            }
            _ => {}
        }
    }

    fn complete_object(&self, fields: &[FieldRule], entries: &mut Vec<(Cow<'_, str>, Node<'_>)>) {
        for field in fields {
            match entries.iter().position(|(name, _)| *name == field.name) {
                Some(at) => {
                    let absent =
                        field.null_is_absent && entries.get(at).is_some_and(|(_, node)| matches!(node, Node::Null));
                    if absent {
                        entries.remove(at);
                    } else if let Some((_, node)) = entries.get_mut(at) {
                        self.complete(field.rule, node);
                    }
                }
                None => {
                    if let Some(default) = &field.default {
                        entries.push((Cow::Owned(field.name.clone()), default.clone()));
                    }
                }
            }
        }
    }
}
