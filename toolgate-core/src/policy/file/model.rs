//! A policy file as it was read: what each table says, with the places that problems are told at. Not the reading, and
//! not what follows for a call.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::read::Word;
use super::source::Span;
use crate::policy::{Control, Grants, Mode, Rate, Rule, Verdict};
use crate::spec::Risk;

/// The whole file.
#[derive(Debug, Default)]
pub(super) struct Model {
    pub(super) name: String,
    pub(super) lists: BTreeMap<String, BTreeSet<String>>,
    pub(super) controls: Modes,
    /// Of a session.
    pub(super) limits: Limits,
    pub(super) tasks: BTreeMap<String, TaskRules>,
    pub(super) tools: BTreeMap<String, ToolRules>,
    pub(super) rules: Vec<PlacedRule>,
    pub(super) examples: Vec<Example>,
}

/// How far controls go, as one table says it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Modes {
    pub(super) all: Option<Mode>,
    pub(super) each: BTreeMap<Control, Mode>,
}

impl Modes {
    /// What it says of a control.
    pub(super) fn of(&self, control: Control) -> Option<Mode> {
        self.each.get(&control).copied().or(self.all)
    }
}

/// Limits, as one table says them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Limits {
    pub(super) calls: Option<u64>,
    pub(super) rate: Option<Rate>,
    pub(super) bytes: Option<u64>,
    pub(super) wall_time: Option<Duration>,
}

/// What a type of task is granted.
#[derive(Debug, Default)]
pub(super) struct TaskRules {
    pub(super) at: Span,
    pub(super) grants: Grants,
    /// The tools and permissions as they are written.
    pub(super) tools: Vec<Word>,
    pub(super) permissions: Vec<Word>,
    /// Tools that may ask for credentials, as they are written.
    pub(super) credential_tools: Vec<Word>,
    pub(super) approval: Option<Approval>,
    pub(super) limits: Limits,
    pub(super) modes: Modes,
}

/// What a type of task needs a person for.
#[derive(Debug)]
pub(super) struct Approval {
    pub(super) at: Span,
    pub(super) tools: Vec<Word>,
    pub(super) risks: Vec<Risk>,
    pub(super) approvers: u32,
    pub(super) reason: String,
}

/// What is said of one tool.
#[derive(Debug)]
pub(super) struct ToolRules {
    pub(super) name: Word,
    pub(super) arguments: Vec<ListedArgument>,
    pub(super) limits: Limits,
    pub(super) modes: Modes,
}

/// An argument that must be in a list.
#[derive(Debug)]
pub(super) struct ListedArgument {
    /// Its name; names of fields in it after dots.
    pub(super) path: Word,
    pub(super) list: Word,
}

/// A rule, and where its parts stand.
#[derive(Debug)]
pub(super) struct PlacedRule {
    pub(super) rule: Rule,
    pub(super) at: Span,
    pub(super) id: Span,
    pub(super) reason: Span,
    pub(super) tools: Vec<Span>,
    /// The condition in the text, and where its first letter is; where it has escapes, only the first.
    pub(super) when: (Span, Option<usize>),
    /// How far it goes, where that is said of the rule itself.
    pub(super) mode: Option<Mode>,
}

/// A call whose answer is known.
#[derive(Debug, Clone)]
pub(super) struct Example {
    pub(super) at: Span,
    pub(super) name: String,
    pub(super) tool: Word,
    pub(super) arguments: serde_json::Value,
    pub(super) task: Word,
    pub(super) principal: Option<String>,
    pub(super) user: Option<String>,
    pub(super) expect: Verdict,
    pub(super) rule: Option<String>,
    pub(super) approvers: Option<u32>,
}
