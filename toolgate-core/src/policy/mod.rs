//! Who decides: the trait of policies, and what a decision carries. What a session may do is checked
//! before any policy is asked, so a policy can only take away.

mod arguments;
mod placed;
pub mod recorded;
mod rule;
mod rules;
mod rules_check;
mod strictest;

use std::fmt::Debug;

pub use arguments::Arguments;
pub use rule::Rule;
pub use rules::ArgumentRules;
pub use strictest::Strictest;

use crate::contract::SpecFault;
use crate::spec::{Risk, ToolSpec, Toolset};
use crate::taint::Traced;

/// What a policy said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It may run.
    Allow,
    /// It may not.
    Deny,
    /// It may, when a person says so.
    Ask,
}

impl Verdict {
    /// The word used in the audit trail.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
            Self::Ask => "ask",
        }
    }
}

/// A verdict with its reason; kept for allowed calls, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Yes, no or ask.
    pub verdict: Verdict,
    /// The rule that decided.
    pub rule: String,
    /// Why, for the operator and the approver.
    pub reason: String,
}

impl Decision {
    /// A decision of a rule.
    pub fn new(verdict: Verdict, rule: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { verdict, rule: rule.into(), reason: reason.into() }
    }
}

/// What a policy may look at.
#[derive(Debug)]
pub struct PolicyRequest<'a> {
    /// The tool.
    pub tool: &'a ToolSpec,
    /// Canonical arguments.
    pub arguments: &'a Arguments<'a>,
    /// The agent.
    pub principal: &'a str,
    /// On whose behalf.
    pub user: Option<&'a str>,
    /// The session.
    pub session: &'a str,
    /// The task.
    pub task: &'a str,
    /// The kind of task.
    pub task_type: &'a str,
    /// Paths as they resolve: pointer of the argument, path in the workspace.
    pub paths: &'a [(String, String)],
    /// Where the values of the arguments come from.
    pub values: &'a Traced<'a>,
}

/// Decides about calls that the session's capabilities allow.
pub trait Policy: Send + Sync + Debug {
    /// Name and version, recorded with each decision.
    fn version(&self) -> String;

    /// Decides. Total: where it can't be answered, the answer is deny.
    fn decide(&self, request: &PolicyRequest<'_>) -> Decision;

    /// Whether it may ask where values come from. Where no policy does and no tool has a destination, a task
    /// remembers no text of what it was told.
    fn reads_provenance(&self) -> bool {
        true
    }

    /// What is wrong with this policy for these tools, such as a rule on an argument that none of them has. A gate
    /// with such a policy can't be built.
    fn check(&self, tools: &Toolset) -> Vec<SpecFault> {
        let _ = tools;
        Vec::new()
    }
}

/// Allows what the capabilities allow.
#[derive(Debug, Clone, Copy, Default)]
pub struct CapabilityPolicy;

impl Policy for CapabilityPolicy {
    fn version(&self) -> String {
        "capabilities/1".to_owned()
    }

    fn reads_provenance(&self) -> bool {
        false
    }

    fn decide(&self, request: &PolicyRequest<'_>) -> Decision {
        Decision::new(Verdict::Allow, "capabilities", format!("granted to task type `{}`", request.task_type))
    }
}

/// Asks a person for every tool of these risk levels, whatever the tool says itself.
#[derive(Debug, Clone)]
pub struct AskForRisks {
    /// The levels.
    pub risks: Vec<Risk>,
}

impl Policy for AskForRisks {
    fn version(&self) -> String {
        "ask_for_risks/1".to_owned()
    }

    fn reads_provenance(&self) -> bool {
        false
    }

    fn decide(&self, request: &PolicyRequest<'_>) -> Decision {
        if self.risks.contains(&request.tool.risk) {
            return Decision::new(
                Verdict::Ask,
                "ask_for_risk",
                format!("`{}` tools need a person here", request.tool.risk),
            );
        }
        CapabilityPolicy.decide(request)
    }
}
