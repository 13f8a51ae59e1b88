//! The file against the tools it is for: tools, permissions, arguments and words that none of them has, each at its
//! place. Not the answer to a call.

use std::sync::Arc;

use toolgate_expr::{Type, nearest};

use super::model::{ListedArgument, Model, PlacedRule};
use super::place::when_span;
use super::read::Word;
use super::source::Source;
use crate::policy::rule::names;
use crate::policy::rules_check::{Place, check_rule};
use crate::session::holds;
use crate::spec::{RegisteredTool, Toolset};

pub(super) fn check(source: &Source<'_>, model: &Model, tools: &Toolset) {
    for task in model.tasks.values() {
        let approved = task.approval.iter().flat_map(|approval| &approval.tools);
        for tool in task.tools.iter().chain(approved).chain(&task.credential_tools) {
            known_tool(source, tool, tools);
        }
        for permission in &task.permissions {
            known_permission(source, permission, tools);
        }
    }
    for tool in model.tools.values() {
        let Some(known) = exact_tool(source, &tool.name, tools) else { continue };
        for listed in &tool.arguments {
            listed_argument(source, model, listed, known);
        }
    }
    for placed in &model.rules {
        rule(source, placed, tools);
    }
    for example in &model.examples {
        exact_tool(source, &example.tool, tools);
    }
}

fn unknown_tool(source: &Source<'_>, word: &Word, tools: &Toolset) {
    let near = nearest(&word.text, tools.iter().map(|tool| tool.spec.name));
    let text = format!("there is no tool `{}` in this toolset", word.text);
    source.misspelled(&word.at, "policy.unknown_tool", text, near);
}

fn known_tool(source: &Source<'_>, word: &Word, tools: &Toolset) {
    if !tools.iter().any(|tool| names(&word.text, tool.spec.name)) {
        unknown_tool(source, word, tools);
    }
}

fn exact_tool<'t>(source: &Source<'_>, word: &Word, tools: &'t Toolset) -> Option<&'t Arc<RegisteredTool>> {
    let tool = tools.get(&word.text);
    if tool.is_none() {
        unknown_tool(source, word, tools);
    }
    tool
}

fn known_permission(source: &Source<'_>, word: &Word, tools: &Toolset) {
    let asked = || tools.iter().flat_map(|tool| tool.spec.permissions).copied();
    if word.text != "*" && !asked().any(|permission| holds(&word.text, permission)) {
        let near = nearest(&word.text, asked());
        let text = format!("no tool needs the permission `{}`", word.text);
        source.misspelled(&word.at, "policy.unknown_permission", text, near);
    }
}

fn rule(source: &Source<'_>, placed: &PlacedRule, tools: &Toolset) {
    for fault in check_rule(&placed.rule, tools) {
        let at = match fault.place {
            Place::Id => placed.id.clone(),
            Place::Reason => placed.reason.clone(),
            Place::Tool(position) => placed.tools.get(position).unwrap_or(&placed.at).clone(),
            Place::When(from, length) => when_span(&placed.when, from, length),
        };
        source.misspelled(&at, fault.word, fault.text, fault.nearest.as_deref());
    }
}

/// The argument is there, and can be in the list.
fn listed_argument(source: &Source<'_>, model: &Model, listed: &ListedArgument, tool: &RegisteredTool) {
    let mut at = tool.contract.value_type();
    let mut walked = Vec::new();
    for part in listed.path.text.split('.') {
        let (fields, open) = match item(at) {
            Type::Object(fields, open) => (fields, open),
            Type::Any => return,
            _ => (Vec::new(), false),
        };
        let known = fields.iter().position(|(name, _)| name == part);
        match known.and_then(|position| fields.get(position)) {
            Some((_, found)) => at = found.clone(),
            None if open => return,
            None => {
                let near = nearest(part, fields.iter().map(|(name, _)| name.as_str()));
                let of = if walked.is_empty() { tool.spec.name.to_owned() } else { walked.join(".") };
                let text = format!("`{of}` has no argument `{part}`");
                source.misspelled(&listed.path.at, "policy.unknown_argument", text, near);
                return;
            }
        }
        walked.push(part);
    }
    let list = model.lists.get(&listed.list.text);
    match item(at) {
        Type::Any | Type::Text(None) | Type::Int | Type::Number => {}
        Type::Text(Some(words)) => {
            if list.is_some_and(|list| !words.iter().any(|word| list.contains(word))) {
                let text = format!(
                    "none of the words of `{}` is in this list, so every call would be refused",
                    walked.join(".")
                );
                source.wrong(&listed.list.at, "policy.never", text);
            }
        }
        _ => {
            let text = format!("`{}` is neither text nor a whole number, and in no list", listed.path.text);
            source.wrong(&listed.path.at, "policy.unlistable", text);
        }
    }
}

/// The type beside null, of the items of a list.
fn item(mut of: Type) -> Type {
    loop {
        of = match of {
            Type::Nullable(inner) | Type::List(inner) => *inner,
            other => return other,
        };
    }
}
