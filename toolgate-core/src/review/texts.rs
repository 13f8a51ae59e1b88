//! Rules on what the model reads about a tool. Not on what it reads of the parameters.

use super::rule::{Look, Rule};
use super::subject::{Subject, Whole};
use super::{lists, words};
use crate::spec::Repeat;

pub(super) const RULES: &[Rule] = &[
    Rule::warning("doc.short", "a description of fewer than three words", Look::Tool(short)),
    Rule::note("doc.repeats_name", "a description that says no more than the tool's name", Look::Tool(repeats_name)),
    Rule::note("doc.long", "a description over 1,024 characters, the gate's line included", Look::Tool(long)),
    Rule::warning(
        "doc.contradicts",
        "a description that says `read-only` or safe to repeat where it isn't",
        Look::Tool(contradicts),
    ),
    Rule::warning(
        "doc.unknown_tool",
        "a description that names a tool which is not in the set, but nearly is",
        Look::Pair(unknown_tool),
    ),
];

/// What some providers cut a description at.
const LONGEST: usize = 1_024;

fn short(subject: &Subject<'_>) -> Vec<String> {
    let spec = subject.tool.spec;
    let few = spec.doc.split_whitespace().count() < 3;
    let text = || {
        format!(
            "the description of `{}` is `{}`, from which a model can't tell when to call it; say what it does, to what, \
             and what comes back",
            spec.name,
            spec.doc.trim()
        )
    };
    few.then(text).into_iter().collect()
}

fn repeats_name(subject: &Subject<'_>) -> Vec<String> {
    let spec = subject.tool.spec;
    let name = words::telling(spec.name);
    let doc = words::telling(spec.doc);
    let few = spec.doc.split_whitespace().count() < 3;
    let repeats = !few && doc.iter().all(|word| name.contains(word));
    let text = || {
        format!(
            "the description of `{}` says no more than its name; say to what it is done, and what comes back",
            spec.name
        )
    };
    repeats.then(text).into_iter().collect()
}

fn long(subject: &Subject<'_>) -> Vec<String> {
    let spec = subject.tool.spec;
    let length = spec.description().chars().count();
    let text = || {
        format!(
            "the description of `{}` has {length} characters, and some providers cut at {LONGEST}; say in it when to call \
             the tool, and the rest where it belongs: at the parameters",
            spec.name
        )
    };
    (length > LONGEST).then(text).into_iter().collect()
}

fn contradicts(subject: &Subject<'_>) -> Vec<String> {
    let spec = subject.tool.spec;
    let doc = spec.doc.to_ascii_lowercase();
    let says = |phrases: &[&'static str]| phrases.iter().copied().find(|phrase| doc.contains(phrase));
    let mut found = Vec::new();
    let reads =
        says(&["read-only", "read only", "only reads", "no side effect", "changes nothing", "without changing"]);
    if let Some(said) = reads.filter(|_| subject.is_effectful()) {
        found.push(format!(
            "the description of `{}` says `{said}`, and its risk is `{}`; correct the one that is wrong",
            spec.name, spec.risk
        ));
    }
    let repeats = says(&["idempotent", "safe to repeat", "safe to retry", "safe to call again"]);
    if let Some(said) = repeats.filter(|_| matches!(spec.repeat, Repeat::Once | Repeat::Repeatable(_))) {
        found.push(format!(
            "the description of `{}` says `{said}`, and it is declared `{}`; correct the one that is wrong",
            spec.name,
            spec.repeat.as_str()
        ));
    }
    found
}

fn unknown_tool(whole: &Whole<'_>, at: usize) -> Vec<String> {
    let Some(subject) = whole.subjects.get(at) else { return Vec::new() };
    let spec = subject.tool.spec;
    let names = || whole.subjects.iter().map(|other| other.tool.spec.name);
    let known = |word: &str| names().any(|name| name == word) || subject.parts.iter().any(|part| part.name == word);
    let looks_like_a_tool = |word: &&str| word.contains('_') && !known(word);
    let told = lists::code_words(spec.doc).filter(looks_like_a_tool);
    told.filter_map(|word| {
        let near = toolgate_expr::nearest(word, names())?;
        Some(format!(
            "the description of `{}` names `{word}`, which is not in this toolset; did you mean `{near}`?",
            spec.name
        ))
    })
    .collect()
}
