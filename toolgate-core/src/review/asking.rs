//! Rules on what a person is asked. Not on whether one is, which the compiler sees to.

use super::rule::{Look, Rule};
use super::subject::Subject;
use super::words;
use crate::approval::Template;
use crate::contract::Part;
use crate::spec::Confirm;

pub(super) const RULES: &[Rule] = &[
    Rule::warning("ask.names_nothing", "a confirmation text that names no argument", Look::Tool(names_nothing)),
    Rule::note(
        "ask.leaves_out",
        "a confirmation text that leaves out an argument that matters: which thing, where to, how much",
        Look::Tool(leaves_out),
    ),
];

/// The arguments that the text names, where a person is asked.
fn named(subject: &Subject<'_>) -> Option<Vec<String>> {
    let tool = subject.tool;
    let Confirm::Ask(text) = tool.spec.confirm else { return None };
    let template = Template::parse(text, &tool.contract).ok()?;
    Some(template.named().map(str::to_owned).collect())
}

/// The parameters that a text could name.
fn nameable<'s, 't>(subject: &'s Subject<'t>) -> impl Iterator<Item = &'s Part<'t>> {
    subject.parameters().filter(|part| !part.sensitive)
}

fn names_nothing(subject: &Subject<'_>) -> Vec<String> {
    let Some(named) = named(subject) else { return Vec::new() };
    let parameters: Vec<&str> = nameable(subject).map(|part| part.name).collect();
    let text = || {
        format!(
            "the confirmation text of `{}` reads the same for every call; name the arguments that decide ({})",
            subject.tool.spec.name,
            words::shown(&parameters)
        )
    };
    (named.is_empty() && !parameters.is_empty()).then(text).into_iter().collect()
}

fn leaves_out(subject: &Subject<'_>) -> Vec<String> {
    let Some(named) = named(subject).filter(|named| !named.is_empty()) else { return Vec::new() };
    let matters = |part: &&Part<'_>| {
        words::is_identifier(part.name) || words::is_destination(part.name, "") || words::is_money(part.name)
    };
    let left_out: Vec<&str> = nameable(subject)
        .filter(|part| part.required)
        .filter(matters)
        .map(|part| part.name)
        .filter(|name| !named.iter().any(|named| named == name))
        .collect();
    let text = || {
        format!(
            "the confirmation text of `{}` leaves out {}, which decide what is done; name them in the sentence that a \
             person reads first",
            subject.tool.spec.name,
            words::shown(&left_out)
        )
    };
    (!left_out.is_empty()).then(text).into_iter().collect()
}
