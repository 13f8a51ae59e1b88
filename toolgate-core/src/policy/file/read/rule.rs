//! `[[rule]]`: what is allowed, denied or asked about by the arguments of a call. The rules themselves are those of
//! [`ArgumentRules`](crate::policy::ArgumentRules).

use std::collections::{BTreeMap, BTreeSet};

use toolgate_expr::nearest;

use super::section::{Section, Word};
use super::{controls, task};
use crate::policy::file::model::{PlacedRule, TaskRules};
use crate::policy::file::place::{when_place, when_span};
use crate::policy::rules_check::{DUPLICATE, Place, check_form};
use crate::policy::{Rule, Verdict};

pub(super) fn read_all(sections: Vec<Section<'_, '_>>, tasks: &BTreeMap<String, TaskRules>) -> Vec<PlacedRule> {
    let mut seen = BTreeSet::new();
    let mut rules = Vec::new();
    for section in sections {
        let source = section.source;
        let Some(placed) = read(section, tasks) else { continue };
        if !seen.insert(placed.rule.id.clone()) {
            source.wrong(&placed.id, "policy.duplicate", DUPLICATE);
        }
        rules.push(placed);
    }
    rules
}

fn read(mut section: Section<'_, '_>, tasks: &BTreeMap<String, TaskRules>) -> Option<PlacedRule> {
    let at = section.at.clone();
    let id = section.needed("id");
    let verdict = section.needed("verdict").and_then(|word| verdict(&section, &word));
    let reason = section.needed("reason");
    let tools = section.words("tools");
    for tool in &tools {
        task::pattern(&section, tool, "a tool");
    }
    let risks = task::risks(&mut section);
    let types = section.words("tasks");
    for word in &types {
        known_task(&section, word, tasks);
    }
    for key in ["tools", "risks", "tasks"] {
        section.not_empty(key);
    }
    let when = section.text("when");
    let mode = section.text("mode").and_then(|word| controls::mode(&section, &word));
    let people = task::people(&mut section);
    let people_at = section.place("approvers");
    let source = section.source;
    section.finish();
    let (id, verdict, reason) = (id?, verdict?, reason?);
    if people.is_some() && verdict != Verdict::Ask {
        source.wrong(&people_at, "policy.approvers", "only a rule that asks has approvers; set `verdict = \"ask\"`");
    }
    let mut rule = match verdict {
        Verdict::Allow => Rule::allow(id.text, reason.text),
        Verdict::Ask => Rule::ask(id.text, reason.text),
        Verdict::Deny => Rule::deny(id.text, reason.text),
    };
    rule = tools.iter().fold(rule, |rule, tool| rule.tool(&tool.text));
    rule = risks.into_iter().fold(rule, Rule::risk);
    rule = types.iter().fold(rule, |rule, name| rule.task(&name.text));
    rule = rule.approvers(people.unwrap_or(1));
    let when_at = when.as_ref().map_or_else(|| at.clone(), |when| when.at.clone());
    let first = when.as_ref().and_then(|when| when_place(source.text, when));
    if let Some(when) = when {
        rule = rule.when(when.text);
    }
    let placed = PlacedRule {
        rule,
        at,
        id: id.at,
        reason: reason.at,
        tools: tools.into_iter().map(|word| word.at).collect(),
        when: (when_at, first),
        mode,
    };
    for fault in check_form(&placed.rule) {
        let at = match fault.place {
            Place::Id => placed.id.clone(),
            Place::Reason => placed.reason.clone(),
            Place::Tool(position) => placed.tools.get(position).unwrap_or(&placed.at).clone(),
            Place::When(from, length) => when_span(&placed.when, from, length),
        };
        source.wrong(&at, fault.word, fault.text);
    }
    Some(placed)
}

/// `allow`, `ask` or `deny`.
pub(super) fn verdict(section: &Section<'_, '_>, word: &Word) -> Option<Verdict> {
    let all = [Verdict::Allow, Verdict::Ask, Verdict::Deny];
    let verdict = all.into_iter().find(|verdict| verdict.as_str() == word.text);
    if verdict.is_none() {
        let near = nearest(&word.text, all.map(Verdict::as_str));
        let text = "a verdict is `allow`, `ask` or `deny`".to_owned();
        section.source.misspelled(&word.at, "policy.unknown_word", text, near);
    }
    verdict
}

/// Notes a type of task that the file doesn't have.
pub(super) fn known_task(section: &Section<'_, '_>, word: &Word, tasks: &BTreeMap<String, TaskRules>) {
    if !tasks.contains_key(&word.text) {
        let near = nearest(&word.text, tasks.keys().map(String::as_str));
        let text = format!("there is no `[task.{}]`", word.text);
        section.source.misspelled(&word.at, "policy.unknown_task", text, near);
    }
}
