//! What keeps a contract finite: rules that lead back to themselves without taking a step into the
//! value, and schemas that are small to send and huge to write out.

use super::rule::{Ask, Rule, RuleId};

/// Most parts of a schema once named parts are written out where they are used.
const MAX_WRITTEN: usize = 20_000;

/// Why these rules can't be used, where they can't.
pub(super) fn unbounded(rules: &[Rule], root: RuleId) -> Option<&'static str> {
    let mut seen = vec![Seen::Not; rules.len()];
    if (0..rules.len()).any(|id| !comes_to_an_end(rules, id, &mut seen)) {
        return Some("a definition that is only itself");
    }
    let mut left = MAX_WRITTEN;
    let fits = write_out(rules, root, &mut Vec::new(), &mut left);
    (!fits).then_some("a schema that is too large once its definitions are written out")
}

/// Whether this rule looks at one value without leading back to itself.
pub(super) fn ends(rules: &[Rule], id: RuleId) -> bool {
    comes_to_an_end(rules, id, &mut vec![Seen::Not; rules.len()])
}

#[derive(Clone, Copy, PartialEq)]
enum Seen {
    Not,
    Open,
    Done,
}

/// Follows the rules that look at the same value.
fn comes_to_an_end(rules: &[Rule], id: RuleId, seen: &mut [Seen]) -> bool {
    match seen.get(id) {
        Some(Seen::Open) => return false,
        Some(Seen::Not) => {}
        Some(Seen::Done) | None => return true,
    }
    let mark = |seen: &mut [Seen], now| {
        if let Some(slot) = seen.get_mut(id) {
            *slot = now;
        }
    };
    mark(seen, Seen::Open);
    let ends = match rules.get(id) {
        Some(Rule::Named { rule, .. }) => comes_to_an_end(rules, *rule, seen),
        Some(Rule::Also { rule, asks }) => {
            let same = asks.iter().filter(|ask| matches!(ask, Ask::Keeps(_) | Ask::Not(_))).filter_map(Ask::rule);
            [*rule].into_iter().chain(same).all(|rule| comes_to_an_end(rules, rule, seen))
        }
        Some(Rule::AnyOf(options) | Rule::ExactlyOne(options)) => {
            options.iter().all(|option| comes_to_an_end(rules, *option, seen))
        }
        _ => true,
    };
    mark(seen, Seen::Done);
    ends
}

/// Walks as the schema is written; false when there isn't enough room.
fn write_out(rules: &[Rule], id: RuleId, open: &mut Vec<RuleId>, left: &mut usize) -> bool {
    let Some(rest) = left.checked_sub(1) else {
        return false;
    };
    *left = rest;
    let mut all = |ids: &[RuleId]| ids.iter().all(|id| write_out(rules, *id, open, left));
    match rules.get(id) {
        Some(Rule::Object(fields)) => fields.iter().all(|field| all(&[field.rule])),
        Some(Rule::List { items: inner, .. } | Rule::Map { values: inner, .. }) => all(&[*inner]),
        Some(Rule::Prefixed { prefix, rest, .. }) => all(prefix) && all(&[*rest]),
        Some(Rule::Open { fields, patterns, rest }) => {
            fields.iter().all(|field| all(&[field.rule]))
                && patterns.iter().all(|(_, rule)| all(&[*rule]))
                && rest.is_none_or(|rest| all(&[rest]))
        }
        Some(Rule::Also { rule, asks }) => all(&[*rule]) && asks.iter().filter_map(Ask::rule).all(|rule| all(&[rule])),
        Some(Rule::Tuple(rules) | Rule::AnyOf(rules) | Rule::ExactlyOne(rules)) => all(rules),
        Some(Rule::Named { rule, .. }) if !open.contains(&id) => {
            open.push(id);
            let fits = write_out(rules, *rule, open, left);
            open.pop();
            fits
        }
        _ => true,
    }
}
