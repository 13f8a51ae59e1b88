//! The schemas of choices between rules, "or null" among them.

use super::check::Check;
use super::draft::{Draft, Member, Notes, object};
use super::rule::{Ask, Rule, RuleId};
use super::schema::Writer;
use super::style::{Asks, Fixed, Nulls};
use crate::json::Node;

impl Writer<'_> {
    pub(super) fn choice(&mut self, options: &[RuleId], exactly_one: bool) -> Draft {
        let contract = self.contract;
        if options.is_empty() {
            let mut draft = Draft::default().with("not", object(Vec::new()));
            if self.style.asks != Asks::All {
                draft.cannot("a value that no value can be");
            }
            return draft;
        }
        let literals: Option<Vec<&Node<'static>>> = options
            .iter()
            .map(|option| match contract.rule(*option) {
                Rule::Literal(literal) => Some(literal),
                _ => None,
            })
            .collect();
        if let Some(literals) = literals.filter(|_| self.style.fixed != Fixed::Const) {
            return self.fixed(&literals);
        }
        let is_null = |option: &RuleId| matches!(contract.rule(*option), Rule::Null);
        let rest: Vec<RuleId> = options.iter().copied().filter(|option| !is_null(option)).collect();
        let nulls = options.len() - rest.len();
        let twice = exactly_one && (nulls > 1 || rest.iter().any(|option| self.admits_null(*option)));
        let stands_alone = rest.iter().any(|option| !self.lets_null_stand_beside(*option));
        if rest.is_empty() || rest.len() == options.len() || twice || stands_alone {
            return self.union(options, exactly_one);
        }
        let inner = match rest.as_slice() {
            [only] => self.members(*only),
            rest => self.union(rest, exactly_one),
        };
        inner.nullable(self.style)
    }

    fn union(&mut self, options: &[RuleId], exactly_one: bool) -> Draft {
        let mut draft = Draft::default();
        let mut parts = Vec::with_capacity(options.len());
        for option in options {
            let part = self.schema(*option);
            if self.style.lone_choices { parts.extend(spliced(part)) } else { parts.push(part) }
        }
        if self.style.nulls == Nulls::Keyword
            && let [_] = parts.as_slice()
            && let Some((Node::Object(members), notes)) = parts.pop()
        {
            return Draft { members, notes };
        }
        // An option of which a part is only in words takes more than it should: two could fit what one does.
        let exact = parts.iter().all(|(_, notes)| notes.moved.iter().all(|note| is_annotation(note.keyword)));
        let keyword = if exactly_one && self.style.exactly_one && exact { "oneOf" } else { "anyOf" };
        draft.parts(keyword, parts);
        if exactly_one && keyword == "anyOf" {
            draft.say("oneOf", "Fits exactly one of these forms.");
        }
        draft
    }

    /// Whether nothing is asked of the inner value that `null` would not keep.
    fn lets_null_stand_beside(&self, id: RuleId) -> bool {
        match self.contract.rule(id) {
            Rule::Named { rule, .. } => self.lets_null_stand_beside(*rule),
            Rule::Also { rule, asks } => {
                !asks.iter().any(|ask| matches!(ask, Ask::Keeps(_) | Ask::Not(_))) && self.lets_null_stand_beside(*rule)
            }
            // Null as one more option of the same `oneOf` would fit two.
            Rule::ExactlyOne(options) if self.style.exactly_one => {
                !options.iter().any(|option| self.admits_null(*option))
            }
            _ => true,
        }
    }

    /// Whether `null` keeps the rule.
    pub(super) fn admits_null(&self, id: RuleId) -> bool {
        Check::at(self.contract, id, &Node::Null).is_empty()
    }
}

/// Whether words in place of a keyword take nothing from what a schema refuses.
fn is_annotation(keyword: &str) -> bool {
    matches!(keyword, "default" | "examples" | "writeOnly")
}

/// The options of a part that is itself only a choice, or the part.
fn spliced(part: (Node<'static>, Notes)) -> Vec<(Node<'static>, Notes)> {
    let (Node::Object(members), mut notes) = part else { return vec![part] };
    match <[Member; 1]>::try_from(members) {
        Ok([(keyword, Node::List(options))]) if keyword == "anyOf" => {
            let mut parts = Vec::with_capacity(options.len());
            for (index, option) in options.into_iter().enumerate() {
                parts.push((option, notes.take(&format!("/anyOf/{index}"))));
            }
            parts
        }
        Ok([member]) => vec![(object(vec![member]), notes)],
        Err(members) => vec![(object(members), notes)],
    }
}
