//! Who decides: the trait of policies, and what a decision carries. What a session may do is checked
//! before any policy is asked, so a policy can only take away.

mod arguments;
mod control;
#[cfg(feature = "policy-file")]
pub mod file;
mod grants;
mod limit;
mod placed;
pub mod recorded;
mod rule;
mod rules;
mod rules_check;
mod spelled;
mod strictest;

use std::fmt::Debug;

pub use arguments::Arguments;
pub use control::{Control, Mode, WouldRefuse};
pub use grants::{GrantModes, Granted, Grants};
pub use limit::{Counted, Limit, Rate};
pub use rule::Rule;
pub(crate) use rule::names;
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
    /// How many different people must say yes, where it asks; 1 where it says nothing of it.
    pub approvers: u32,
    /// The argument that is in no list where it must be, as a JSON pointer; where that is why it denies.
    pub not_in_list: Option<String>,
    /// What controls would have refused that aren't enforced yet.
    pub would_refuse: Vec<WouldRefuse>,
}

impl Decision {
    /// A decision of a rule.
    pub fn new(verdict: Verdict, rule: impl Into<String>, reason: impl Into<String>) -> Self {
        let (rule, reason) = (rule.into(), reason.into());
        Self { verdict, rule, reason, approvers: 1, not_in_list: None, would_refuse: Vec::new() }
    }

    /// So many different people must say yes.
    #[must_use]
    pub fn approvers(mut self, people: u32) -> Self {
        self.approvers = people.max(1);
        self
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
    /// URLs in their one spelling: pointer of the argument, text.
    pub urls: &'a [(String, String)],
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

    /// What it grants to calls of a tool in tasks of this type: a call needs the host's capabilities, and every one of
    /// these. None where the policy leaves it to the host.
    fn grants<'p>(&'p self, task_type: &str, tool: &str) -> Vec<Granted<'p>> {
        let _ = (task_type, tool);
        Vec::new()
    }

    /// The limits of calls of a tool in tasks of this type.
    fn limits(&self, task_type: &str, tool: &str) -> Vec<Limit> {
        let _ = (task_type, tool);
        Vec::new()
    }

    /// How far a control goes that isn't the policy's own: what tools say of preconditions and confirmation. `None`
    /// where the policy says nothing of it; then it is enforced.
    fn mode(&self, control: Control, task_type: &str, tool: &str) -> Option<Mode> {
        let _ = (control, task_type, tool);
        None
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
