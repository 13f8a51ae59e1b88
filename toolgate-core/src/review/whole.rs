//! Rules on the set: tools that a model takes for one another, names that mean two things, too many to choose from.
//! Not on one tool by itself.

use std::collections::BTreeSet;

use super::rule::{Look, Rule};
use super::subject::{Subject, Whole};
use super::words;
use crate::contract::Form;

pub(super) const RULES: &[Rule] = &[
    Rule::warning("set.near_names", "two tools whose names say the same", Look::Pair(near_names)),
    Rule::warning("set.near_docs", "two tools whose descriptions are nearly the same", Look::Pair(near_docs)),
    Rule::note(
        "set.two_forms",
        "a parameter that is a closed set of words in one tool and free text in another",
        Look::Pair(two_forms),
    ),
    Rule::note("set.too_many", "more than 40 tools in one set", Look::Set(too_many)),
];

/// Most tools that a model still chooses well among.
const MANY: usize = 40;
/// Words that say the same of a tool; the first stands for all.
const SAME: &[&[&str]] = &[
    &["get", "fetch", "read", "load", "retrieve", "show", "view", "describe"],
    &["find", "search", "lookup", "query"],
    &["delete", "remove", "erase", "destroy"],
    &["create", "add", "new", "insert"],
    &["update", "edit", "modify", "change", "patch"],
    &["run", "execute", "exec"],
];

/// The tools before this one, with it.
fn pairs<'w, 't>(whole: &'w Whole<'t>, at: usize) -> impl Iterator<Item = (&'w Subject<'t>, &'w Subject<'t>)> {
    let this = whole.subjects.get(at);
    whole.subjects.iter().take(at).filter_map(move |other| Some((this?, other)))
}

/// What a name says, whatever words it says it with.
fn meaning(name: &str) -> BTreeSet<String> {
    let plain = |word: String| {
        let same = SAME.iter().find(|same| same.contains(&word.as_str())).and_then(|same| same.first());
        same.map_or(word, |first| (*first).to_owned())
    };
    words::telling(name).into_iter().map(plain).collect()
}

fn near_names(whole: &Whole<'_>, at: usize) -> Vec<String> {
    let near = pairs(whole, at).filter(|(this, other)| meaning(this.tool.spec.name) == meaning(other.tool.spec.name));
    near.map(|(this, other)| {
        format!(
            "`{}` and `{}` say the same, and a model takes one for the other; name each by what only it does",
            this.tool.spec.name, other.tool.spec.name
        )
    })
    .collect()
}

fn near_docs(whole: &Whole<'_>, at: usize) -> Vec<String> {
    let words = |subject: &Subject<'_>| words::telling(subject.tool.spec.doc).into_iter().collect::<BTreeSet<_>>();
    let near = pairs(whole, at).filter(|(this, other)| {
        let (this, other) = (words(this), words(other));
        let (both, any) = (this.intersection(&other).count(), this.union(&other).count());
        // Four of five words.
        any >= 4 && both * 5 >= any * 4
    });
    near.map(|(this, other)| {
        format!(
            "the descriptions of `{}` and `{}` are nearly the same, and a model chooses by them; say in each when to take \
             it and not the other",
            this.tool.spec.name, other.tool.spec.name
        )
    })
    .collect()
}

fn two_forms(whole: &Whole<'_>, at: usize) -> Vec<String> {
    let Some(this) = whole.subjects.get(at) else { return Vec::new() };
    let free = this
        .parts
        .iter()
        .filter(|part| matches!(part.form, Form::Text { pattern: None, known: false, .. }) && !part.reason);
    free.filter_map(|part| {
        let other = whole.subjects.iter().find(|other| {
            other.parts.iter().any(|theirs| theirs.name == part.name && matches!(theirs.form, Form::Words(_)))
        })?;
        Some(format!(
            "`{}` is free text in `{}` and a closed set of words in `{}`; take the same type in both",
            part.name, this.tool.spec.name, other.tool.spec.name
        ))
    })
    .collect()
}

fn too_many(whole: &Whole<'_>) -> Option<String> {
    let count = whole.subjects.len();
    (count > MANY).then(|| {
        format!("{count} tools are more than a model chooses well among; give each kind of task the few it needs, by `allow_tools`")
    })
}
