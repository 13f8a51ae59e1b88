//! The schemas of arrays whose first items have rules of their own. Not of those whose items are all alike,
//! which `schema.rs` writes.

use super::draft::{Draft, Notes, object};
use super::rule::RuleId;
use super::schema::Writer;
use super::style::Tuples;
use crate::json::Node;

impl Writer<'_> {
    /// An array whose first items have rules of their own; without `rest` it has no others.
    pub(super) fn prefixed(
        &mut self,
        prefix: &[RuleId],
        rest: Option<RuleId>,
        bounds: (u32, u32),
        unique: bool,
    ) -> Draft {
        let mut draft = Draft::of("array");
        if prefix.is_empty() && rest.is_none() {
            draft.put("items", object(Draft::of("string").members));
        } else if self.style.tuples == Tuples::Prefix && !prefix.is_empty() {
            let parts = prefix.iter().map(|rule| self.schema(*rule)).collect();
            draft.parts("prefixItems", parts);
            if let Some(rest) = rest {
                draft.part("items", self.schema(rest));
            }
        } else {
            // Where nothing can follow, there is nothing to say of what follows.
            let rest = rest.filter(|_| bounds.1 as usize > prefix.len());
            self.alike(&mut draft, prefix, rest, (bounds.0 as usize) < prefix.len());
        }
        self.counts(&mut draft, bounds);
        self.unique(&mut draft, unique);
        draft
    }

    /// Items that are each of one of the kinds, and words for their order.
    fn alike(&mut self, draft: &mut Draft, prefix: &[RuleId], rest: Option<RuleId>, fewer: bool) {
        let mut kinds: Vec<(Node<'static>, Notes)> = Vec::new();
        for rule in prefix.iter().copied().chain(rest) {
            let part = self.schema(rule);
            if kinds.iter().all(|(known, _)| *known != part.0) {
                kinds.push(part);
            }
        }
        let alike = kinds.len() == 1;
        if self.style.tuples == Tuples::Never || (self.style.tuples == Tuples::Alike && !alike) {
            draft.cannot("a list whose items are of different kinds, one after another");
        }
        if alike {
            kinds.into_iter().for_each(|only| draft.part("items", only));
            return;
        }
        let mut choice = Draft::default();
        choice.parts("anyOf", kinds);
        draft.part("items", choice.finish(self.style, "", Vec::new()));
        let each: Vec<String> = prefix.iter().map(|rule| self.contract.expectation(*rule)).collect();
        let each = each.join("; ");
        let words = match rest.map(|rest| self.contract.expectation(rest)) {
            None if fewer => format!("These items, in order, of which the last may be missing: {each}."),
            None => format!("Exactly these items, in order: {each}."),
            Some(rest) => format!("First these items, in order: {each}; then each {rest}."),
        };
        draft.say("prefixItems", words);
    }
}
