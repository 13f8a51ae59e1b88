//! Closed sets of values: which of them keep what else is said. Not choices between schemas.

use super::parts::{Fixed, Parts};
use super::{Built, Import, Names};
use crate::contract::Contract;
use crate::contract::bounds::ends;
use crate::contract::check::Check;
use crate::contract::compile::Compiler;
use crate::contract::rule::{Ask, Rule, RuleId, Word};
use crate::json::{Node, canonical};

impl<'s> Import<'s> {
    /// A rule for the values that stand in every list and keep all the rest.
    pub(super) fn fix(
        &mut self,
        to: &mut Compiler<'_>,
        mut parts: Parts<'s>,
        lists: &[Fixed<'s>],
        names: Names,
    ) -> Built {
        let place = parts.place.clone();
        let mut sets = Vec::with_capacity(lists.len());
        for list in lists {
            let mut set: Vec<(String, Node<'static>, &str)> = Vec::with_capacity(list.values.len());
            for (value, doc) in &list.values {
                let node = Node::from_value(value).map_err(|error| {
                    let at = place.as_ref().map(|said| said.at.as_str()).unwrap_or_default();
                    to.fault(&format!("{}{at}", self.prefix), "schema.invalid", error.to_string())
                })?;
                let text = canonical(&node);
                if !set.iter().any(|(known, ..)| *known == text) {
                    set.push((text, node, doc));
                }
            }
            sets.push(set);
        }
        let mut sets = sets.into_iter();
        let mut values = sets.next().unwrap_or_default();
        for set in sets {
            values.retain(|(text, ..)| set.iter().any(|(other, ..)| other == text));
        }
        parts.asserted -= lists.len();
        let mut beyond = None;
        if parts.asserted > 0 {
            // The values were written out: no default bound takes one away.
            self.choosing += 1;
            let base = self.build(to, parts, Names::Open);
            self.choosing -= 1;
            let base = base?;
            let is_sure = !self.known.values().any(|known| known.open);
            let is_built = to.is_built(base);
            let plain = |node: &Node<'_>| !matches!(node, Node::Object(_) | Node::List(_));
            let known = |node: &Node<'_>| is_built && (is_sure || plain(node));
            values.retain(|(_, node, _)| !known(node) || to.keeps(base, node));
            beyond = values.iter().any(|(_, node, _)| !known(node)).then_some(base);
        }
        if values.is_empty() && self.choosing == 0 && names == Names::Closed {
            let at = place.as_ref().map(|said| said.at.as_str()).unwrap_or_default();
            let text = "an `enum` without values of its type, or that keep what else is said";
            return Err(to.fault(&format!("{}{at}", self.prefix), "schema.invalid", text));
        }
        let rule = listed(to, values);
        Ok(to.also(rule, beyond.map(Ask::Keeps).into_iter().collect()))
    }
}

impl Compiler<'_> {
    /// Whether this rule looks at a value without meeting itself, or a rule that isn't built yet.
    pub(super) fn is_built(&self, rule: RuleId) -> bool {
        ends(&self.rules, rule)
    }

    /// Whether a value keeps a rule of the contract under construction; it must be built.
    pub(super) fn keeps(&mut self, rule: RuleId, node: &Node<'_>) -> bool {
        let contract = Contract { rules: std::mem::take(&mut self.rules), root: rule };
        let keeps = Check::at(&contract, rule, node).is_empty();
        self.rules = contract.rules;
        keeps
    }
}

fn listed(to: &mut Compiler<'_>, values: Vec<(String, Node<'static>, &str)>) -> RuleId {
    let words: Option<Vec<Word>> = values
        .iter()
        .map(|(_, node, doc)| match node {
            Node::Text(word) => Some(Word { value: word.to_string(), doc: (*doc).to_owned() }),
            _ => None,
        })
        .collect();
    match words {
        Some(words) if !words.is_empty() => to.push(Rule::OneOf(words)),
        _ => {
            let mut options: Vec<RuleId> =
                values.into_iter().map(|(_, node, _)| to.push(Rule::Literal(node))).collect();
            match (options.len(), options.pop()) {
                (1, Some(only)) => only,
                (_, last) => {
                    options.extend(last);
                    to.push(Rule::AnyOf(options))
                }
            }
        }
    }
}
