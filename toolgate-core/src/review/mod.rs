//! The softer review of a whole set of tools: what compiles and runs, and what a careful reader of the declared
//! facts would still ask about. Not the compiler's review, whose rules have no exceptions: here each finding may be
//! allowed, in one place and for a stated reason.
//!
//! ```
//! use serde_json::json;
//! use toolgate_core::review::Review;
//! use toolgate_core::spec::DynamicTool;
//!
//! let schema = json!({"type": "object", "required": ["order"], "properties": {
//!     "order": {"type": "string", "description": "One of `newest`, `oldest`."}}});
//! let list = DynamicTool::new("list_notes", "Lists what the team has noted.", schema)
//!     .reads()
//!     .handler(|_context, _arguments| async { Ok(json!([])) })?;
//! let report = Review::of([list]).run()?;
//! assert_eq!(report.findings[0].rule, "arg.free_string_enum");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod allow;
mod arguments;
mod asking;
mod bounds;
mod conditions;
mod effects;
mod finding;
mod grants;
mod lists;
mod rule;
mod subject;
mod texts;
mod whole;
mod words;

use std::sync::Arc;

pub use allow::ReviewFault;
pub use finding::{Allowed, Finding, Report};
pub use rule::{Rule, Severity, rules};
pub use subject::Reviewed;

use allow::Allowance;
use rule::Look;
use subject::{Subject, Whole};

use crate::session::Capabilities;
use crate::spec::{RegisteredTool, ToolsetFault};

/// What a finding about no single tool is about.
pub const WHOLE_SET: &str = "*";

/// A review under way: the tools, what is known about sessions, what is allowed.
#[derive(Debug, Clone)]
#[must_use = "a review finds nothing until it is run"]
pub struct Review {
    tools: Result<Vec<Arc<RegisteredTool>>, ToolsetFault>,
    grants: Vec<Capabilities>,
    allowances: Vec<Allowance>,
}

impl Review {
    /// The review of these tools: a `toolset!`, tools declared at run time, both, or the tools of a gate.
    pub fn of(tools: impl Reviewed) -> Self {
        let mut tools = tools.tools();
        if let Ok(tools) = &mut tools {
            // The gate's own.
            tools.retain(|tool| tool.builtin.is_none());
        }
        Self { tools, grants: Vec::new(), allowances: Vec::new() }
    }

    /// What the host's sessions and tasks may do, said once for each kind. Only with it can be found what nobody
    /// may use.
    pub fn grants(mut self, capabilities: Capabilities) -> Self {
        self.grants.push(capabilities);
        self
    }

    /// Allows one finding: the rule's id, where it is (`restart`, `restart/reason`, `*` for the whole set), and why
    /// that is right here.
    pub fn allow(mut self, rule: impl Into<String>, place: impl Into<String>, reason: impl Into<String>) -> Self {
        self.allowances.push(Allowance { rule: rule.into(), place: place.into(), reason: reason.into() });
        self
    }

    /// All findings, in the order of the tools, of their parameters, and of the rules.
    ///
    /// # Errors
    /// Tools that don't fit together, and allowances that can't be meant.
    pub fn run(&self) -> Result<Report, ReviewFault> {
        let tools = self
            .tools
            .as_ref()
            .map_err(|fault| ReviewFault { faults: fault.faults.iter().map(ToString::to_string).collect() })?;
        allow::check(&self.allowances)?;
        let whole = Whole { subjects: tools.iter().map(|tool| Subject::of(tool)).collect(), grants: &self.grants };
        Ok(allow::apply(&self.allowances, look(&whole)))
    }

    /// For tests: the report where nothing was found.
    ///
    /// # Panics
    /// With all that was found, one line each.
    #[expect(clippy::panic, reason = "an assertion, for tests")]
    #[track_caller]
    pub fn assert_clean(&self) -> Report {
        match self.run() {
            Ok(report) if report.findings.is_empty() => report,
            Ok(report) => panic!("the review of these tools found:\n\n{report}"),
            Err(fault) => panic!("these tools can't be reviewed:\n\n{fault}"),
        }
    }
}

/// What all rules say, in order.
fn look(whole: &Whole<'_>) -> Vec<Finding> {
    // Place of the tool, place of the part, and the finding; rules are in order already.
    let mut found: Vec<((usize, usize), Finding)> = Vec::new();
    for rule in rules() {
        let mut add = |at: (usize, usize), tool: &str, place: &str, message: String| {
            let finding =
                Finding { rule: rule.id, severity: rule.severity, tool: tool.into(), place: place.into(), message };
            found.push((at, finding));
        };
        for (n, subject) in whole.subjects.iter().enumerate() {
            let name = subject.tool.spec.name;
            match rule.look {
                Look::Parameter(look) => {
                    for (part, at) in subject.parts.iter().zip(1..) {
                        look(subject, part).into_iter().for_each(|text| add((n, at), name, &part.pointer, text));
                    }
                }
                Look::Tool(look) => look(subject).into_iter().for_each(|text| add((n, 0), name, "", text)),
                Look::Pair(look) => look(whole, n).into_iter().for_each(|text| add((n, 0), name, "", text)),
                Look::Set(_) | Look::Allowances => {}
            }
        }
        if let Look::Set(look) = rule.look {
            look(whole).into_iter().for_each(|text| add((usize::MAX, 0), WHOLE_SET, "", text));
        }
    }
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, finding)| finding).collect()
}
