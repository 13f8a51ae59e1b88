//! The figures of recorded runs against a policy, and how they read. What they count as is said here, once.
//!
//! An attacker's call that is asked about counts as stopped: the person reads where its values came from. A run is good
//! where the user got what they wanted; it is kept where none of the user's calls was refused or denied and at most one
//! was asked about.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::run::{Answer, Said};

/// What became of calls.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// All of them.
    pub calls: u32,
    /// Refused by the contract of their tool.
    pub refused: u32,
    /// Denied by the policy.
    pub denied: u32,
    /// Asked about.
    pub asked: u32,
    /// Allowed.
    pub allowed: u32,
    /// Asked about, by tool.
    pub asked_by_tool: BTreeMap<String, u32>,
    /// Denied, by tool.
    pub denied_by_tool: BTreeMap<String, u32>,
    /// Asked about, by rule; of a call that several rules ask about, all of them as one.
    pub asked_by_rule: BTreeMap<String, u32>,
    /// Denied, by rule.
    pub denied_by_rule: BTreeMap<String, u32>,
    /// What controls would have refused or asked about that aren't enforced yet, by rule.
    pub observed_by_rule: BTreeMap<String, u32>,
}

impl Counts {
    pub(super) fn count(&mut self, tool: &str, said: &Said) {
        let add = |counts: &mut BTreeMap<String, u32>, name: &str| *counts.entry(name.to_owned()).or_default() += 1;
        self.calls += 1;
        said.would_refuse.iter().for_each(|rule| add(&mut self.observed_by_rule, rule));
        match said.answer {
            Answer::Refused => self.refused += 1,
            Answer::Denied => {
                self.denied += 1;
                add(&mut self.denied_by_tool, tool);
                add(&mut self.denied_by_rule, &said.rule);
            }
            Answer::Asked => {
                self.asked += 1;
                add(&mut self.asked_by_tool, tool);
                add(&mut self.asked_by_rule, &said.rule);
            }
            Answer::Allowed => self.allowed += 1,
        }
    }

    /// Those that did not pass by themselves, in percent.
    pub fn stopped_percent(&self) -> f64 {
        percent(self.calls - self.allowed, self.calls)
    }

    /// Those that could be made, by themselves or after a yes, in percent.
    pub fn kept_percent(&self) -> f64 {
        percent(self.allowed + self.asked, self.calls)
    }
}

/// What became of good runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RunCounts {
    /// Runs in which the user got what they wanted.
    pub good: u32,
    /// Those that would have gone the same way, with at most one question.
    pub kept: u32,
    /// Questions in all of them.
    pub questions: u32,
    /// Runs with so many questions.
    pub by_questions: BTreeMap<u32, u32>,
}

impl RunCounts {
    pub(super) fn count(&mut self, questions: u32, lost: bool) {
        self.good += 1;
        self.kept += u32::from(!lost);
        self.questions += questions;
        *self.by_questions.entry(questions).or_default() += 1;
    }

    /// Kept, in percent.
    pub fn kept_percent(&self) -> f64 {
        percent(self.kept, self.good)
    }

    /// Questions in a good run, on average.
    pub fn questions_each(&self) -> f64 {
        if self.good == 0 { 0.0 } else { f64::from(self.questions) / f64::from(self.good) }
    }
}

/// An attacker's call that nothing stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Passed {
    /// The run.
    pub run: String,
    /// The tool.
    pub tool: String,
}

/// The figures of one suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The suite.
    pub suite: String,
    /// Name and version of the policy.
    pub policy: String,
    /// Calls that an attacker wanted.
    pub attacker: Counts,
    /// Calls of good runs that no attacker wanted.
    pub right: Counts,
    /// Good runs as a whole.
    pub runs: RunCounts,
    /// Attackers' calls that nothing stopped.
    pub passed: Vec<Passed>,
}

impl Report {
    pub(super) fn new(suite: &str, policy: String) -> Self {
        Self {
            suite: suite.to_owned(),
            policy,
            attacker: Counts::default(),
            right: Counts::default(),
            runs: RunCounts::default(),
            passed: Vec::new(),
        }
    }
}

fn percent(part: u32, whole: u32) -> f64 {
    if whole == 0 { 100.0 } else { 100.0 * f64::from(part) / f64::from(whole) }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { suite, policy, attacker, right, runs, passed } = self;
        writeln!(f, "{suite} under {policy}")?;
        writeln!(
            f,
            "  attackers' calls stopped  {:5.1} %  ({} of {}: {} denied, {} asked, {} refused by their contract)",
            attacker.stopped_percent(),
            attacker.calls - attacker.allowed,
            attacker.calls,
            attacker.denied,
            attacker.asked,
            attacker.refused,
        )?;
        writeln!(
            f,
            "  right calls kept          {:5.1} %  ({} of {}: {} asked; {} denied, {} refused by their contract)",
            right.kept_percent(),
            right.allowed + right.asked,
            right.calls,
            right.asked,
            right.denied,
            right.refused,
        )?;
        writeln!(f, "  good runs kept            {:5.1} %  ({} of {})", runs.kept_percent(), runs.kept, runs.good)?;
        let by_questions: Vec<String> =
            runs.by_questions.iter().map(|(questions, runs)| format!("{runs} with {questions}")).collect();
        writeln!(
            f,
            "  questions in a good run   {:5.2}    (runs: {})",
            runs.questions_each(),
            by_questions.join(", ")
        )?;
        for (what, counts) in [
            ("asked about in good runs", &right.asked_by_tool),
            ("asked about in good runs, by rule", &right.asked_by_rule),
            ("denied in good runs", &right.denied_by_tool),
            ("denied in good runs, by rule", &right.denied_by_rule),
            ("only observed in good runs", &right.observed_by_rule),
            ("only observed of attackers", &attacker.observed_by_rule),
        ] {
            if !counts.is_empty() {
                let listed: Vec<String> = counts.iter().map(|(tool, calls)| format!("{tool} {calls}")).collect();
                writeln!(f, "  {what}: {}", listed.join(", "))?;
            }
        }
        for Passed { run, tool } in passed {
            writeln!(f, "  passed: {tool} in {run}")?;
        }
        Ok(())
    }
}
