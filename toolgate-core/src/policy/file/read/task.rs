//! `[task.<type>]`: what tasks of a type are granted, what they need a person for, and their limits.

use toolgate_expr::nearest;

use super::section::{Section, Word};
use super::{controls, credentials, hosts, limits};
use crate::policy::Grants;
use crate::policy::file::model::{Approval, TaskRules};
use crate::spec::Risk;

/// Most people of one approval.
pub(super) const MOST_PEOPLE: u64 = 10;

pub(super) fn read(mut section: Section<'_, '_>) -> TaskRules {
    let at = section.at.clone();
    let tools = section.words("tools");
    for tool in &tools {
        pattern(&section, tool, "a tool");
    }
    let risks = risks(&mut section);
    let permissions = section.words("permissions");
    let texts = |words: Vec<Word>| words.into_iter().map(|word| word.text).collect::<Vec<_>>();
    let readable = folders(&mut section, "readable");
    let writable = folders(&mut section, "writable");
    let (credentials, credential_tools) = credentials::read(&mut section);
    let grants = Grants {
        tools: texts(tools.clone()),
        risks,
        permissions: texts(permissions.clone()),
        readable,
        writable,
        hosts: hosts::read(&mut section),
        programs: texts(section.words("programs")),
        credentials,
    };
    let approval = section.table("requires_approval").map(approval);
    let limits = section.table("limits").map(limits::read).unwrap_or_default();
    let modes = section.table("controls").map(controls::read).unwrap_or_default();
    section.finish();
    TaskRules { at, grants, tools, permissions, credential_tools, approval, limits, modes }
}

/// A `*` stands only at the end.
pub(super) fn pattern(section: &Section<'_, '_>, word: &Word, what: &str) {
    let beginning = word.text.strip_suffix('*').unwrap_or(&word.text);
    if word.text.is_empty() || beginning.contains('*') {
        let text = format!("{what} is a name, or the beginning of one before `*`");
        section.source.wrong(&word.at, "policy.pattern", text);
    }
}

/// The risks that a list names.
pub(super) fn risks(section: &mut Section<'_, '_>) -> Vec<Risk> {
    let words = section.words("risks");
    let known = |word: &Word| {
        let risk = Risk::parse(&word.text);
        if risk.is_none() {
            let near = nearest(&word.text, Risk::ALL.map(Risk::as_str));
            let text = format!("no risk `{}`: it is one of read, write, external, dangerous", word.text);
            section.source.misspelled(&word.at, "policy.unknown_word", text, near);
        }
        risk
    };
    words.iter().filter_map(known).collect()
}

/// Folders of the workspace, as a prefix rule compares them.
fn folders(section: &mut Section<'_, '_>, key: &'static str) -> Vec<String> {
    let words = section.words(key);
    for word in &words {
        let clean = !word.text.is_empty()
            && !word.text.starts_with('/')
            && !word.text.contains('\0')
            && word.text.split('/').all(|part| part != ".." && !part.contains('*'));
        if !clean {
            let text = "a folder of the workspace is such as \"logs/app\", or \".\" for all of it: no absolute path, \
                        no `..`, no `*`";
            section.source.wrong(&word.at, "policy.folder", text);
        }
    }
    words.into_iter().map(|word| word.text).collect()
}

fn approval(mut section: Section<'_, '_>) -> Approval {
    let at = section.at.clone();
    let tools = section.words("tools");
    for tool in &tools {
        pattern(&section, tool, "a tool");
    }
    let risks = risks(&mut section);
    let approvers = people(&mut section).unwrap_or(1);
    let reason = section.text("reason").map_or_else(String::new, |word| word.text);
    if tools.is_empty() && risks.is_empty() {
        section.source.wrong(&at, "policy.missing_key", "say what needs a person: `risks`, `tools`, or both");
    }
    section.finish();
    Approval { at, tools, risks, approvers, reason }
}

/// `approvers`: how many different people.
pub(super) fn people(section: &mut Section<'_, '_>) -> Option<u32> {
    section.number("approvers", 1, MOST_PEOPLE).and_then(|people| u32::try_from(people).ok())
}
