//! What changes between two versions of a policy: grants, rules, lists and limits, and the examples of both that come
//! out otherwise. Not a text diff: what is only written in another way is no change.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::PolicyFile;
use super::examples::{call_of, shown};
use super::model::{Limits, Model, Modes, PlacedRule, TaskRules};
use crate::policy::{Grants, Verdict};
use crate::resource::HostRule;
use crate::spec::Toolset;

/// What was done to one thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It is another.
    Changed,
}

/// One thing that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// What was done.
    pub kind: ChangeKind,
    /// To what: `task.remediation: tools: restart`.
    pub what: String,
    /// Whether it lets more calls through (`true`), or fewer; `None` where that depends on the call.
    pub widens: Option<bool>,
}

/// An example that comes out otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExampleChange {
    /// Its name.
    pub name: String,
    /// What came out before.
    pub before: String,
    /// What comes out now.
    pub after: String,
}

/// What differs between two policies.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Diff {
    /// What differs in the files.
    pub changes: Vec<Change>,
    /// The examples of both that come out otherwise.
    pub examples: Vec<ExampleChange>,
}

impl PolicyFile {
    /// What changes where `new` takes the place of `old`.
    pub fn diff(old: &Self, new: &Self, tools: &Toolset) -> Diff {
        let mut changes = Vec::new();
        let (before, after) = (old.model(), new.model());
        tasks(&mut changes, before, after);
        rules(&mut changes, before, after);
        lists(&mut changes, before, after);
        tool_tables(&mut changes, before, after);
        pair(&mut changes, "limits", &limits(&before.limits), &limits(&after.limits));
        pair(&mut changes, "controls", &modes(&before.controls), &modes(&after.controls));
        Diff { changes, examples: examples(old, new, tools) }
    }
}

fn examples(old: &PolicyFile, new: &PolicyFile, tools: &Toolset) -> Vec<ExampleChange> {
    let mut seen = BTreeSet::new();
    let mut changed = Vec::new();
    for example in new.model().examples.iter().chain(&old.model().examples) {
        let call = call_of(example);
        if !seen.insert((example.name.clone(), format!("{call:?}"))) {
            continue;
        }
        let asked = |file: &PolicyFile| match file.explain(tools, &call) {
            Ok(found) => shown(&found),
            Err(why) => why,
        };
        let (before, after) = (asked(old), asked(new));
        if before != after {
            changed.push(ExampleChange { name: example.name.clone(), before, after });
        }
    }
    changed
}

fn note(changes: &mut Vec<Change>, kind: ChangeKind, what: String, widens: Option<bool>) {
    changes.push(Change { kind, what, widens });
}

/// Two texts of one thing, empty where it isn't there.
fn pair(changes: &mut Vec<Change>, what: &str, before: &str, after: &str) {
    if before == after {
        return;
    }
    let (kind, told) = match (before.is_empty(), after.is_empty()) {
        (true, _) => (ChangeKind::Added, format!("{what}: {after}")),
        (_, true) => (ChangeKind::Removed, format!("{what}: {before}")),
        _ => (ChangeKind::Changed, format!("{what}: {before} -> {after}")),
    };
    note(changes, kind, told, None);
}

/// Names that are granted, one by one.
fn granted<'n>(
    changes: &mut Vec<Change>,
    what: &str,
    before: impl IntoIterator<Item = &'n str>,
    after: impl IntoIterator<Item = &'n str>,
) {
    let (before, after): (BTreeSet<&str>, BTreeSet<&str>) = (before.into_iter().collect(), after.into_iter().collect());
    for name in after.difference(&before) {
        note(changes, ChangeKind::Added, format!("{what}: {name}"), Some(true));
    }
    for name in before.difference(&after) {
        note(changes, ChangeKind::Removed, format!("{what}: {name}"), Some(false));
    }
}

fn tasks(changes: &mut Vec<Change>, before: &Model, after: &Model) {
    let nothing = TaskRules::default();
    let types: BTreeSet<&String> = before.tasks.keys().chain(after.tasks.keys()).collect();
    for task_type in types {
        let (old, new) = (before.tasks.get(task_type), after.tasks.get(task_type));
        match (old, new) {
            (None, Some(_)) => note(changes, ChangeKind::Added, format!("task.{task_type}"), Some(true)),
            (Some(_), None) => note(changes, ChangeKind::Removed, format!("task.{task_type}"), Some(false)),
            _ => {}
        }
        let (old, new) = (old.unwrap_or(&nothing), new.unwrap_or(&nothing));
        let at = |part: &str| format!("task.{task_type}: {part}");
        let (granted_before, granted_after) = (&old.grants, &new.grants);
        let names = |names: &'_ [String]| names.iter().map(String::as_str).collect::<Vec<_>>().join("\n");
        let hosts = |grants: &Grants| names(&grants.hosts.iter().map(HostRule::told).collect::<Vec<_>>());
        let parts = [
            ("tools", names(&granted_before.tools), names(&granted_after.tools)),
            ("permissions", names(&granted_before.permissions), names(&granted_after.permissions)),
            ("readable", names(&granted_before.readable), names(&granted_after.readable)),
            ("writable", names(&granted_before.writable), names(&granted_after.writable)),
            ("hosts", hosts(granted_before), hosts(granted_after)),
            ("programs", names(&granted_before.programs), names(&granted_after.programs)),
            ("credentials", names(&granted_before.credentials_told()), names(&granted_after.credentials_told())),
        ];
        for (part, before, after) in &parts {
            granted(changes, &at(part), before.lines(), after.lines());
        }
        let risks = |task: &TaskRules| task.grants.risks.iter().map(|risk| risk.as_str()).collect::<Vec<_>>();
        granted(changes, &at("risks"), risks(old), risks(new));
        pair(changes, &at("requires_approval"), &approval(old), &approval(new));
        pair(changes, &at("limits"), &limits(&old.limits), &limits(&new.limits));
        pair(changes, &at("controls"), &modes(&old.modes), &modes(&new.modes));
    }
}

fn rules(changes: &mut Vec<Change>, before: &Model, after: &Model) {
    let by_id = |model: &Model| -> BTreeMap<String, (Verdict, String)> {
        model.rules.iter().map(|placed| (placed.rule.id.clone(), (placed.rule.verdict, rule(placed)))).collect()
    };
    let (before, after) = (by_id(before), by_id(after));
    // A rule that asks or denies makes nothing wider; one that allows may make its tools narrower, too.
    let restricts = |verdict: Verdict| (verdict != Verdict::Allow).then_some(true);
    for (id, (verdict, text)) in &after {
        match before.get(id) {
            None => {
                let widens = restricts(*verdict).map(|restricts| !restricts);
                note(changes, ChangeKind::Added, format!("rule `{id}`: {text}"), widens);
            }
            Some((_, old)) if old != text => {
                note(changes, ChangeKind::Changed, format!("rule `{id}`: {old} -> {text}"), None);
            }
            Some(_) => {}
        }
    }
    for (id, (verdict, text)) in before.iter().filter(|(id, _)| !after.contains_key(*id)) {
        note(changes, ChangeKind::Removed, format!("rule `{id}`: {text}"), restricts(*verdict));
    }
}

fn lists(changes: &mut Vec<Change>, before: &Model, after: &Model) {
    let names: BTreeSet<&String> = before.lists.keys().chain(after.lists.keys()).collect();
    for name in names {
        let entries = |model: &'_ Model| model.lists.get(name).cloned().unwrap_or_default();
        let (old, new) = (entries(before), entries(after));
        granted(changes, &format!("list `{name}`"), old.iter().map(String::as_str), new.iter().map(String::as_str));
    }
}

fn tool_tables(changes: &mut Vec<Change>, before: &Model, after: &Model) {
    let names: BTreeSet<&String> = before.tools.keys().chain(after.tools.keys()).collect();
    for name in names {
        let told = |model: &Model| -> [String; 3] {
            let Some(tool) = model.tools.get(name) else { return <[String; 3]>::default() };
            let mut bound: Vec<String> =
                tool.arguments.iter().map(|listed| format!("{} in {}", listed.path.text, listed.list.text)).collect();
            bound.sort();
            [bound.join(", "), limits(&tool.limits), modes(&tool.modes)]
        };
        let parts = ["arguments", "limits", "controls"];
        for (part, (old, new)) in parts.into_iter().zip(told(before).into_iter().zip(told(after))) {
            pair(changes, &format!("tool.{name}: {part}"), &old, &new);
        }
    }
}

fn approval(task: &TaskRules) -> String {
    let Some(approval) = &task.approval else { return String::new() };
    let tools = approval.tools.iter().map(|tool| tool.text.as_str());
    let what: Vec<&str> = approval.risks.iter().map(|risk| risk.as_str()).chain(tools).collect();
    format!("{} by {}", what.join(", "), approval.approvers)
}

fn limits(limits: &Limits) -> String {
    let Limits { calls, rate, bytes, wall_time } = limits;
    let parts = [
        calls.map(|calls| format!("calls {calls}")),
        rate.map(|rate| format!("rate {}/{:?}", rate.calls, rate.window)),
        bytes.map(|bytes| format!("bytes {bytes}")),
        wall_time.map(|time| format!("wall_time {time:?}")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn modes(modes: &Modes) -> String {
    let all = modes.all.map(|mode| format!("default {}", mode.as_str()));
    let each = modes.each.iter().map(|(control, mode)| format!("{} {}", control.as_str(), mode.as_str()));
    all.into_iter().chain(each).collect::<Vec<_>>().join(", ")
}

fn rule(placed: &PlacedRule) -> String {
    let rule = &placed.rule;
    let mut parts = vec![rule.verdict.as_str().to_owned()];
    let mut add = |word: &str, of: Vec<String>| {
        if !of.is_empty() {
            parts.push(format!("{word} {}", of.join(", ")));
        }
    };
    let sorted = |words: &[String]| {
        let mut words = words.to_vec();
        words.sort();
        words
    };
    add("tools", sorted(&rule.tools));
    add("risks", sorted(&rule.risks.iter().map(|risk| risk.as_str().to_owned()).collect::<Vec<_>>()));
    add("tasks", sorted(&rule.tasks));
    add("when", rule.when.iter().map(|when| when.text.clone()).collect());
    if rule.approvers > 1 {
        parts.push(format!("by {}", rule.approvers));
    }
    parts.extend(placed.mode.map(|mode| format!("[{}]", mode.as_str())));
    parts.join(" ")
}
