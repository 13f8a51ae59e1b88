//! What is asked of a value beyond its rule: of an object's members as a whole, of an array's items as a
//! whole, of a number's steps, and what else it must or must not be. Not the rule itself.

use std::borrow::Cow;

use super::check::{Check, as_f64};
use super::rule::{Ask, RuleId};
use super::wording::shown_name;
use crate::json::Node;

/// The rule that was broken where the work wasn't done to its end.
pub(crate) const TOO_COMPLEX: &str = "schema.too_complex";

impl<'c> Check<'c> {
    /// Holds for the value as it was given, and with what is left out filled in.
    pub(super) fn also(&mut self, rule: RuleId, asks: &'c [Ask], node: &Node<'_>) {
        let before = self.problems.len();
        self.rule(rule, node);
        asks.iter().for_each(|ask| self.ask(ask, node));
        let asked = asks.iter().any(|ask| !matches!(ask, Ask::MultipleOf(_) | Ask::Note(_)));
        if asked
            && self.problems.len() == before
            && let Some(whole) = self.completed(rule, node)
        {
            asks.iter().for_each(|ask| self.ask(ask, &whole));
        }
    }

    fn ask(&mut self, ask: &'c Ask, node: &Node<'_>) {
        match (ask, node) {
            (Ask::MultipleOf(step), Node::Integer(_) | Node::Float(_)) if !is_multiple(as_f64(node), *step) => {
                self.problem("schema.multiple_of", format!("expected a multiple of {step}"));
            }
            (Ask::Entries { min, max }, Node::Object(entries)) => {
                self.length("schema.items", entries.len(), *min, *max, "entries");
            }
            (Ask::Needs { given, needed }, Node::Object(entries)) => {
                let has = |name: &str| entries.iter().any(|(known, _)| known == name);
                for name in needed.iter().filter(|name| has(given) && !has(name)) {
                    self.inside(name, |check| {
                        check.problem("schema.required", format!("required beside `{given}` and missing"));
                    });
                }
            }
            (Ask::Names(rule), Node::Object(entries)) => {
                for (name, _) in entries {
                    let name_node = Node::Text(Cow::Borrowed(name));
                    if let Some(problem) = self.attempt(*rule, &name_node).into_iter().next() {
                        self.inside(shown_name(name), |check| {
                            check.problem_near(
                                "schema.names",
                                format!("as a name, {}", problem.expected),
                                problem.nearest.as_deref(),
                            );
                        });
                    }
                }
                self.stop_if_too_complex();
            }
            (Ask::Contains { item, min, max }, Node::List(nodes)) => {
                let fitting = nodes.iter().filter(|node| self.attempt(*item, node).is_empty()).count();
                let unit = if *min == 1 { "item of the kind asked for" } else { "items of the kind asked for" };
                self.length("schema.contains", fitting, *min, *max, unit);
                self.stop_if_too_complex();
            }
            (Ask::Keeps(rule), node) => self.rule(*rule, node),
            (Ask::Not(rule), node) => {
                if self.attempt(*rule, node).is_empty() {
                    self.problem("schema.not", "expected a value of another form; this one is ruled out");
                }
                self.stop_if_too_complex();
            }
            _ => {}
        }
    }

    /// What came out only because there was no room for more work counts as wrong.
    pub(super) fn stop_if_too_complex(&mut self) {
        if self.work.is_out() && !self.problems.iter().any(|problem| problem.rule == TOO_COMPLEX) {
            self.problem(TOO_COMPLEX, "expected arguments that take less work to check");
        }
    }
}

/// Whether `value` is a whole number of `step`, both read as the decimals they are written as: 0.3 is
/// three times 0.1.
fn is_multiple(value: f64, step: f64) -> bool {
    let (Some((digits, power)), Some((step_digits, step_power))) = (decimal(value), decimal(step)) else {
        return false;
    };
    if let Ok(up) = u32::try_from(power - step_power) {
        // `digits * 10^up` modulo the step's digits, which are fewer than 18.
        return (0..up).fold(digits % step_digits, |rest, _| rest * 10 % step_digits) == 0;
    }
    let down = u32::try_from(step_power - power).unwrap_or(u32::MAX);
    let whole = 10_u128.checked_pow(down).and_then(|scale| scale.checked_mul(step_digits));
    digits == 0 || whole.is_some_and(|whole| digits % whole == 0)
}

/// The shortest decimal that reads back as this number: digits, and the power of ten they count.
fn decimal(value: f64) -> Option<(u128, i32)> {
    let text = format!("{:e}", value.abs());
    let (digits, power) = text.split_once('e')?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let power: i32 = power.parse().ok()?;
    let digits: u128 = format!("{whole}{fraction}").parse().ok()?;
    Some((digits, power - i32::try_from(fraction.len()).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiples_are_those_of_the_written_decimals() {
        for (value, step) in
            [(0.3, 0.1), (0.0075, 0.0001), (4.5, 1.5), (0.0, 0.7), (-6.0, 2.0), (1e300, 1e-5), (1e21, 7e20 / 7.0)]
        {
            assert!(is_multiple(value, step), "{value} {step}");
        }
        for (value, step) in [(0.007_51, 0.0001), (35.0, 1.5), (1e308, 0.123_456_789), (1e-300, 1.0), (5e-324, 1e-323)]
        {
            assert!(!is_multiple(value, step), "{value} {step}");
        }
    }
}
