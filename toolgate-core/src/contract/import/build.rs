//! One rule of all that was gathered about a value: first fixed values, then choices, then the kinds that
//! are allowed, each with what is said about its kind. Arrays and objects have files of their own.

use super::parts::{KINDS, Parts};
use super::{Built, Import, Names};
use crate::contract::compile::Compiler;
use crate::contract::rule::{Ask, NumberRule, Rule, RuleId, TextRule};
use crate::spec::shape::DEFAULT_TEXT_MAX;
use crate::tool::MAX_EXACT;

/// How an object or array is read: closed or not, and whether its kind was said. Where it wasn't, no
/// default bound holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    pub names: Names,
    pub bounded: bool,
}

impl<'s> Import<'s> {
    pub(super) fn build(&mut self, to: &mut Compiler<'_>, mut parts: Parts<'s>, names: Names) -> Built {
        if parts.never {
            return Ok(to.never());
        }
        if !parts.fixed.is_empty() {
            let fixed = std::mem::take(&mut parts.fixed);
            return self.fix(to, parts, &fixed, names);
        }
        if let Some(choice) = parts.choices.pop() {
            return self.choose(to, parts, &choice, names);
        }
        if parts.unevaluated && names == Names::Open {
            let place = parts.place.clone();
            let text = "`unevaluatedProperties` inside of `not`, `if` or `contains` can't be enforced here";
            return Err(match &place {
                Some(said) => self.fault(to, said, "schema.unsupported", text),
                None => to.fault(self.prefix, "schema.unsupported", text),
            });
        }
        let reading = Reading { names, bounded: parts.kinds.is_some() && names == Names::Closed };
        let rule = match &parts.kinds {
            None if parts.asserted == parts.nots.len() => to.push(Rule::Any),
            None => self.kinds_of(to, &parts, &KINDS, reading)?,
            Some(kinds) => self.kinds_of(to, &parts, kinds, reading)?,
        };
        let mut asks = Vec::new();
        for said in &parts.nots {
            let not = self.rule(to, vec![said.clone()], Names::Open)?;
            if to.is_any(not) {
                return Ok(to.never());
            }
            if !to.is_never(not) {
                asks.push(Ask::Not(not));
            }
        }
        Ok(to.also(rule, asks))
    }

    fn kinds_of(&mut self, to: &mut Compiler<'_>, parts: &Parts<'s>, kinds: &[&str], reading: Reading) -> Built {
        let mut rules: Vec<RuleId> = Vec::with_capacity(kinds.len());
        let number = kinds.contains(&"number");
        let wanted = kinds.iter().filter(|kind| **kind != "null" && !(number && **kind == "integer"));
        for kind in wanted.chain(kinds.iter().filter(|kind| **kind == "null").take(1)) {
            let rule = match *kind {
                "null" => to.push(Rule::Null),
                "boolean" => to.push(Rule::Bool),
                "integer" => numeric(to, parts, true),
                "number" => numeric(to, parts, false),
                "string" => text(to, parts, reading),
                "array" => self.array(to, parts, reading)?,
                _ => self.object(to, parts, reading)?,
            };
            if !to.is_never(rule) {
                rules.push(rule);
            }
        }
        Ok(match rules.as_slice() {
            [only] => *only,
            _ => to.push(Rule::AnyOf(rules)),
        })
    }
}

fn numeric(to: &mut Compiler<'_>, parts: &Parts<'_>, whole: bool) -> RuleId {
    let number = parts.number;
    let rule = if whole { integer(number) } else { Rule::Number(number) };
    let empty = match rule {
        Rule::Integer { min, max } => min > max,
        _ => {
            let (min, max) = (number.min.max(number.above), number.max.min(number.below));
            min > max || (min >= max && (number.above >= max || number.below <= min))
        }
    };
    if empty {
        return to.never();
    }
    let rule = to.push(rule);
    to.also(
        rule,
        parts.steps.iter().filter(|step| !(whole && **step == 1.0)).map(|step| Ask::MultipleOf(*step)).collect(),
    )
}

#[expect(clippy::cast_possible_truncation, reason = "`as` saturates, and the bounds are clamped to exact integers")]
fn integer(number: NumberRule) -> Rule {
    let NumberRule { min, max, above, below } = number;
    let above = if above.is_finite() { above.floor() as i64 + 1 } else { i64::MIN };
    let below = if below.is_finite() { below.ceil() as i64 - 1 } else { i64::MAX };
    let min = (min.ceil() as i64).max(above).max(-MAX_EXACT);
    let max = (max.floor() as i64).min(below).min(MAX_EXACT);
    Rule::Integer { min, max }
}

fn text(to: &mut Compiler<'_>, parts: &Parts<'_>, reading: Reading) -> RuleId {
    let min = parts.min_length;
    let unsaid = if reading.bounded { DEFAULT_TEXT_MAX.max(min) } else { u32::MAX };
    let max = parts.max_length.unwrap_or(unsaid);
    if min > max {
        return to.never();
    }
    let mut patterns = parts.patterns.iter();
    let mut formats = parts.formats.iter();
    let own = TextRule { pattern: patterns.next().cloned(), format: formats.next().copied(), ..TextRule::of(min, max) };
    let own = to.push(Rule::Text(own));
    let mut asks = Vec::new();
    for pattern in patterns {
        let more = TextRule { pattern: Some(pattern.clone()), ..TextRule::of(0, u32::MAX) };
        asks.push(Ask::Keeps(to.push(Rule::Text(more))));
    }
    for format in formats {
        let more = TextRule { format: Some(*format), ..TextRule::of(0, u32::MAX) };
        asks.push(Ask::Keeps(to.push(Rule::Text(more))));
    }
    to.also(own, asks)
}
