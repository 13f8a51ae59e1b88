//! Rules on how much a parameter, or a field within one, may hold: bounds that nobody stated. The contract has one
//! for everything (text of 10,000 characters, lists of 1,000 items); these are where that is too wide.

use super::rule::{Look, Rule};
use super::subject::Subject;
use super::{lists, words};
use crate::contract::{Form, Part};

pub(super) const RULES: &[Rule] = &[
    Rule::warning("arg.unbounded_id", "an identifier as free text, without a pattern or a length", Look::Parameter(id)),
    Rule::note("arg.unbounded_text", "text in a type of yours, without a length or pattern", Look::Parameter(text)),
    Rule::note(
        "arg.unbounded_list",
        "a list in a type of yours, or of a tool that changes something, without `max_items`",
        Look::Parameter(list),
    ),
    Rule::warning(
        "arg.unbounded_amount",
        "an amount or a count without a largest value, of a tool that changes something",
        Look::Parameter(amount),
    ),
];

/// Text of which neither form nor length is stated.
fn is_boundless(part: &Part<'_>) -> bool {
    matches!(part.form, Form::Text { pattern: None, stated: false, known: false })
}

fn id(_: &Subject<'_>, part: &Part<'_>) -> Option<String> {
    (is_boundless(part) && words::is_identifier(part.name) && lists::listed(part.doc).is_empty()).then(|| {
        format!(
            "`{}` picks one thing out and takes any text of 10,000 characters; say `pattern = ..` or at least \
             `max_length = ..`, or take an enum where the things are known",
            part.name
        )
    })
}

fn text(_: &Subject<'_>, part: &Part<'_>) -> Option<String> {
    let told = words::is_identifier(part.name) || words::is_moment(part.name) || !lists::listed(part.doc).is_empty();
    let repair = if part.list.is_some() {
        "give its items a newtype with `#[tool_type(max_length = ..)]`"
    } else {
        "say `max_length = ..`"
    };
    (part.within_type && !part.reason && is_boundless(part) && !told).then(|| {
        format!("`{}` is text in a type of yours without a bound, so 10,000 characters pass; {repair}", part.name)
    })
}

fn list(subject: &Subject<'_>, part: &Part<'_>) -> Option<String> {
    (part.list == Some(false) && (part.within_type || subject.is_effectful())).then(|| {
        format!("`{}` is a list without a bound, so one call may name 1,000 items; say `max_items = ..`", part.name)
    })
}

#[expect(clippy::cast_precision_loss, reason = "both are far below 2^53")]
fn amount(subject: &Subject<'_>, part: &Part<'_>) -> Option<String> {
    let most = match part.form {
        Form::Integer { max } => max as f64,
        Form::Number { max } => max,
        _ => return None,
    };
    let named = words::is_money(part.name) || words::is_number(part.name, part.doc);
    (subject.is_effectful() && named && most >= f64::from(i32::MAX)).then(|| {
        format!(
            "`{}` has no largest value, so a slip of the model is as large as the type; say `range = ..` with the most that \
             is ever right",
            part.name
        )
    })
}
