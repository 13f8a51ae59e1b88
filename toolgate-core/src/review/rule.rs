//! What a rule of the review is, and the table of all. Not what they look at: each group of rules is a file of its
//! own.

use super::subject::{Subject, Whole};
use super::{arguments, asking, bounds, conditions, effects, grants, texts, whole};
use crate::contract::Part;

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A guard is missing, or a model or a person is misled.
    Warning,
    /// It could be better.
    Note,
}

impl Severity {
    /// The word used in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A rule of the review. Its id never changes meaning.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Stable, such as `arg.free_string_enum`.
    pub id: &'static str,
    /// How much its findings weigh.
    pub severity: Severity,
    /// What it finds, in one line.
    pub about: &'static str,
    pub(super) look: Look,
}

/// What a rule looks at; each text is a finding.
#[derive(Debug, Clone, Copy)]
pub(super) enum Look {
    /// One parameter, or one field within one.
    Parameter(fn(&Subject<'_>, &Part<'_>) -> Option<String>),
    /// One tool.
    Tool(fn(&Subject<'_>) -> Vec<String>),
    /// One tool among the others.
    Pair(fn(&Whole<'_>, usize) -> Vec<String>),
    /// The whole set.
    Set(fn(&Whole<'_>) -> Option<String>),
    /// The allowances themselves.
    Allowances,
}

impl Rule {
    pub(super) const fn warning(id: &'static str, about: &'static str, look: Look) -> Self {
        Self { id, severity: Severity::Warning, about, look }
    }

    pub(super) const fn note(id: &'static str, about: &'static str, look: Look) -> Self {
        Self { id, severity: Severity::Note, about, look }
    }
}

/// Says that an allowance allows nothing.
pub(super) const STALE: Rule = Rule::warning("allow.stale", "an allowance that no finding needs", Look::Allowances);

/// All rules, group by group.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    [
        texts::RULES,
        arguments::RULES,
        bounds::RULES,
        effects::RULES,
        asking::RULES,
        conditions::RULES,
        whole::RULES,
        grants::RULES,
        &[STALE],
    ]
    .into_iter()
    .flatten()
}
