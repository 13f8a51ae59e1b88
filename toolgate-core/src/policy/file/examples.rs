//! The examples of a file as its tests. Not their reading, which is `read/example.rs`'s.

use serde::Serialize;

use super::explain::{ExampleCall, Explanation, LayerAnswer};
use super::model::Example;
use super::source::Source;
use super::{LoadError, PolicyFile};
use crate::policy::Verdict;
use crate::spec::Toolset;

/// How one example came out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExampleResult {
    /// Its name.
    pub name: String,
    /// Its line in the file.
    pub line: usize,
    /// Whether it came out as it says.
    pub passed: bool,
    /// What it says: `ask by 2 (production)`.
    pub expected: String,
    /// What came out.
    pub got: String,
    /// Why it did, for one that didn't pass.
    pub why: String,
}

impl PolicyFile {
    /// The examples that stand in the file, asked.
    pub fn run_examples(&self, tools: &Toolset) -> Vec<ExampleResult> {
        self.model().examples.iter().map(|example| self.run_example(tools, example)).collect()
    }

    /// The examples that come out otherwise than they say, each at its place.
    ///
    /// # Errors
    /// There are any.
    pub fn check_examples(&self, tools: &Toolset) -> Result<(), LoadError> {
        let source = Source::new(&self.loaded.file, &self.loaded.text);
        for example in &self.model().examples {
            let ExampleResult { name, passed, expected, got, why, .. } = self.run_example(tools, example);
            if !passed {
                let why = why.lines().next().unwrap_or_default();
                let text = format!("the example `{name}` says {expected}, and the file says {got}: {why}");
                source.wrong(&example.at, "policy.example", text);
            }
        }
        source.finish()
    }

    fn run_example(&self, tools: &Toolset, example: &Example) -> ExampleResult {
        let expected = answer(example.expect.as_str(), example.approvers.unwrap_or(1), example.rule.as_deref());
        let (name, line) = (example.name.clone(), self.line(&example.at));
        match self.explain(tools, &call_of(example)) {
            Err(why) => ExampleResult { name, line, passed: false, expected, got: "no call".to_owned(), why },
            Ok(found) => {
                let verdict = match example.expect {
                    Verdict::Allow => LayerAnswer::Allow,
                    Verdict::Ask => LayerAnswer::Ask,
                    Verdict::Deny => LayerAnswer::Deny,
                };
                let has_rule = |rule: &String| found.rule.split(", ").any(|said| said == rule);
                let passed = found.verdict == verdict
                    && example.rule.as_ref().is_none_or(has_rule)
                    && example.approvers.is_none_or(|people| people == found.approvers);
                let got = shown(&found);
                let why = if passed { String::new() } else { found.to_string() };
                ExampleResult { name, line, passed, expected, got, why }
            }
        }
    }
}

pub(super) fn call_of(example: &Example) -> ExampleCall {
    let Example { tool, arguments, task, principal, user, .. } = example;
    let call = ExampleCall::new(&tool.text, arguments.clone(), &task.text);
    ExampleCall { principal: principal.clone().unwrap_or(call.principal), user: user.clone(), ..call }
}

/// An answer in short: verdict, people, rule.
pub(super) fn shown(found: &Explanation) -> String {
    answer(found.verdict.as_str(), found.approvers, Some(&found.rule))
}

fn answer(verdict: &str, people: u32, rule: Option<&str>) -> String {
    let people = if people > 1 { format!(" by {people}") } else { String::new() };
    let rule = rule.map(|rule| format!(" ({rule})")).unwrap_or_default();
    format!("{verdict}{people}{rule}")
}
