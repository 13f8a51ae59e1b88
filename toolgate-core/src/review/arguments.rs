//! Rules on the types of parameters, and of the fields within: text that is really something else. Not on how much
//! of it there may be, which is `bounds.rs`.

use super::rule::{Look, Rule};
use super::subject::Subject;
use super::{lists, words};
use crate::contract::{Form, Part};
use crate::redact::names_a_secret;

pub(super) const RULES: &[Rule] = &[
    Rule::warning("arg.no_doc", "a parameter or field without a description", Look::Parameter(no_doc)),
    Rule::note(
        "arg.doc_repeats_name",
        "a description that says no more than the parameter's name",
        Look::Parameter(repeats_name),
    ),
    Rule::warning(
        "arg.free_string_enum",
        "free text whose description lists the only words",
        Look::Parameter(free_string_enum),
    ),
    Rule::warning(
        "arg.string_is_number",
        "text that is a number, by its name, description or pattern",
        Look::Parameter(string_is_number),
    ),
    Rule::note(
        "arg.string_is_date",
        "text that is a date or a time, in no stated form",
        Look::Parameter(string_is_date),
    ),
    Rule::warning(
        "arg.money_is_float",
        "money as a number with a fraction, which rounds",
        Look::Parameter(money_is_float),
    ),
    Rule::warning(
        "arg.not_sensitive",
        "a password, token or other secret that is not marked `sensitive`",
        Look::Parameter(not_sensitive),
    ),
    Rule::note("arg.any_value", "a parameter that takes any JSON value", Look::Parameter(any_value)),
];

fn no_doc(_: &Subject<'_>, part: &Part<'_>) -> Option<String> {
    part.doc.trim().is_empty().then(|| {
        format!(
            "`{}` has no description, and a model guesses by its name; say what it is, with its unit or form",
            part.name
        )
    })
}

fn repeats_name(_: &Subject<'_>, part: &Part<'_>) -> Option<String> {
    let name = words::telling(part.name);
    let doc = words::telling(part.doc);
    // One word, such as "The service." for `service`, is said of a closed set of words, too; there it does no harm.
    let free = !matches!(part.form, Form::Words(_) | Form::Other);
    let repeats = free && !doc.is_empty() && doc.len() <= name.len() && doc.iter().all(|word| name.contains(word));
    repeats.then(|| {
        format!(
            "the description of `{}` says no more than its name; say which, in what form, or with an example",
            part.name
        )
    })
}

/// Text of which nothing closed is known: no pattern, no path, no format.
fn is_free_text(part: &Part<'_>) -> bool {
    matches!(part.form, Form::Text { pattern: None, known: false, .. }) && !part.reason
}

fn free_string_enum(subject: &Subject<'_>, part: &Part<'_>) -> Option<String> {
    if !is_free_text(part) {
        return None;
    }
    let listed = lists::listed(part.doc);
    // "Either `id` or `name` must be given" is about parameters.
    let are_parameters = listed.iter().any(|word| subject.parts.iter().any(|part| part.name == *word));
    if listed.is_empty() || are_parameters {
        return None;
    }
    let flag = |word: &&str| {
        matches!(word.to_ascii_lowercase().as_str(), "true" | "false" | "yes" | "no" | "on" | "off" | "y" | "n")
    };
    let repair = if listed.iter().all(flag) {
        "take a `bool`"
    } else {
        "take an enum with `#[tool_type]`, or say `one_of = [..]`"
    };
    Some(format!(
        "`{}` takes any text, and its description lists the only words ({}); {repair}, so that another word is refused",
        part.name,
        words::shown(&listed)
    ))
}

fn string_is_number(_: &Subject<'_>, part: &Part<'_>) -> Option<String> {
    let Form::Text { pattern, known: false, .. } = &part.form else { return None };
    let by_pattern = pattern.is_some_and(words::is_digits) && !words::is_identifier(part.name);
    let by_name = pattern.is_none() && !part.reason && words::is_number(part.name, part.doc);
    let says = if by_name { "its name or description says a number" } else { "its pattern takes digits only" };
    (by_name || by_pattern).then(|| {
        format!(
            "`{}` takes text, and {says}; take an integer type with `range = ..`, so that its size is checked",
            part.name
        )
    })
}

fn string_is_date(_: &Subject<'_>, part: &Part<'_>) -> Option<String> {
    (is_free_text(part) && words::is_moment(part.name) && lists::listed(part.doc).is_empty()).then(|| {
        format!(
            "`{}` takes any text for a moment, so each model writes its own form; say the form with `pattern = ..` and \
             an `example`",
            part.name
        )
    })
}

fn money_is_float(_: &Subject<'_>, part: &Part<'_>) -> Option<String> {
    (matches!(part.form, Form::Number { .. }) && words::is_money(part.name)).then(|| {
        format!(
            "`{}` is money as a number with a fraction, which rounds; take whole cents as an integer type",
            part.name
        )
    })
}

fn not_sensitive(_: &Subject<'_>, part: &Part<'_>) -> Option<String> {
    let text = matches!(part.form, Form::Text { .. } | Form::Any);
    (text && !part.sensitive && names_a_secret(part.name) && !words::is_cursor(part.name)).then(|| {
        format!(
            "`{}` is a secret by its name, and it would be shown to approvers; mark it `#[arg(sensitive)]`, or better let \
             the host give it as `#[state]`, so that no model ever has it",
            part.name
        )
    })
}

fn any_value(_: &Subject<'_>, part: &Part<'_>) -> Option<String> {
    (part.form == Form::Any).then(|| {
        format!(
            "`{}` takes any JSON value, so nothing about it is checked; give it a type with `#[tool_type]`",
            part.name
        )
    })
}
