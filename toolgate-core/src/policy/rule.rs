//! One rule about the arguments of calls: which tools it is about, when it says something, and what. Not how
//! several rules are one answer, which is [`super::ArgumentRules`].

use toolgate_expr::{Expr, ParseError, Trace};

use super::{Decision, Verdict};
use crate::spec::{Risk, ToolSpec};

/// Names that a rule's condition may use.
pub(super) const ROOTS: [&str; 5] = ["args", "task", "session", "principal", "user"];

/// A rule: allow, deny or ask, for these tools, when this holds.
///
/// ```
/// use toolgate_core::policy::Rule;
///
/// Rule::ask("production", "customers use it").tool("scale").when("args.environment == 'production'");
/// ```
#[derive(Debug, Clone)]
#[must_use = "a rule has no effect until a policy has it"]
pub struct Rule {
    pub(super) id: String,
    pub(super) verdict: Verdict,
    pub(super) reason: String,
    pub(super) tools: Vec<String>,
    pub(super) risks: Vec<Risk>,
    pub(super) tasks: Vec<String>,
    pub(super) approvers: u32,
    pub(super) when: Option<Condition>,
}

#[derive(Debug, Clone)]
pub(super) struct Condition {
    pub(super) text: String,
    pub(super) parsed: Result<Expr, ParseError>,
}

impl Rule {
    fn new(verdict: Verdict, id: impl Into<String>, reason: impl Into<String>) -> Self {
        let (id, reason) = (id.into(), reason.into());
        Self { id, verdict, reason, tools: Vec::new(), risks: Vec::new(), tasks: Vec::new(), approvers: 1, when: None }
    }

    /// A rule that lets calls run. The reason is for the operator.
    pub fn allow(id: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::new(Verdict::Allow, id, reason)
    }

    /// A rule that refuses calls. The reason is for the operator.
    pub fn deny(id: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::new(Verdict::Deny, id, reason)
    }

    /// A rule that lets calls run when a person says so. The reason is shown to the approver.
    pub fn ask(id: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::new(Verdict::Ask, id, reason)
    }

    /// Only about the tool of this name; said again, about that one too. A `*` at the end stands for all that begin so.
    pub fn tool(mut self, name: impl Into<String>) -> Self {
        self.tools.push(name.into());
        self
    }

    /// Only about tools of this risk; said again, about those of that one too.
    pub fn risk(mut self, risk: Risk) -> Self {
        self.risks.push(risk);
        self
    }

    /// Only in tasks of this type; said again, in those of that one too.
    pub fn task(mut self, task_type: impl Into<String>) -> Self {
        self.tasks.push(task_type.into());
        self
    }

    /// Where it asks: so many different people must say yes, none of whom is the agent or its user.
    pub fn approvers(mut self, people: u32) -> Self {
        self.approvers = people.max(1);
        self
    }

    /// Only when this expression over `args`, `task.id`, `task.type`, `task.tainted`, `session`, `principal` and
    /// `user` (null where there is none) holds; `provenance(args.x)` and `said(args.x)` ask where a value comes from.
    /// A second one stands in place of the first.
    pub fn when(mut self, condition: impl Into<String>) -> Self {
        let text = condition.into();
        let parsed = toolgate_expr::parse_traced(&text, &ROOTS);
        self.when = Some(Condition { text, parsed });
        self
    }

    /// Whether it says anything about this tool.
    pub(super) fn is_about(&self, tool: &ToolSpec) -> bool {
        (self.tools.is_empty() || self.names(tool)) && (self.risks.is_empty() || self.risks.contains(&tool.risk))
    }

    /// Whether its condition asks where a value comes from.
    pub(super) fn reads_provenance(&self) -> bool {
        self.when.as_ref().is_some_and(|when| when.parsed.as_ref().is_ok_and(Expr::is_traced))
    }

    pub(super) fn names(&self, tool: &ToolSpec) -> bool {
        self.tools.iter().any(|name| names(name, tool.name))
    }

    /// Whether it says anything in tasks of this type.
    pub(super) fn is_in(&self, task_type: &str) -> bool {
        self.tasks.is_empty() || self.tasks.iter().any(|known| known == task_type)
    }

    /// What it says of a call, if anything. What can't be answered is a no.
    pub(super) fn answer(
        &self,
        lookup: &dyn Fn(&str) -> Option<toolgate_expr::Value>,
        trace: Trace<'_>,
    ) -> Option<Decision> {
        let unanswered = |error: &dyn std::fmt::Display| {
            Some(Decision::new(Verdict::Deny, &self.id, format!("the rule can't be answered: {error}")))
        };
        match self.when.as_ref().map(|when| &when.parsed) {
            None => {}
            Some(Err(error)) => return unanswered(error),
            Some(Ok(when)) => match when.holds_traced(lookup, trace) {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return unanswered(&error),
            },
        }
        Some(Decision::new(self.verdict, &self.id, &self.reason).approvers(self.approvers))
    }
}

/// Whether a tool is meant by a name, or by the beginning of one before `*`.
pub(crate) fn names(pattern: &str, tool: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == tool, |beginning| tool.starts_with(beginning))
}
