//! What a review found, for people and machines. Not how it is printed by the command.

use std::fmt;

use super::rule::Severity;

/// One thing that a reviewer would ask about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Id of the rule.
    pub rule: &'static str,
    /// How much it weighs.
    pub severity: Severity,
    /// The tool; `*` for the whole set.
    pub tool: String,
    /// JSON pointer of the parameter, or of a field within one; empty for the tool itself.
    pub place: String,
    /// What it is, what is wrong, what to do.
    pub message: String,
}

impl Finding {
    /// The place as an allowance names it: `restart`, `restart/reason`.
    pub fn at(&self) -> String {
        format!("{}{}", self.tool, self.place)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}] {}: {}", self.severity.as_str(), self.rule, self.at(), self.message)
    }
}

/// A finding that is allowed, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed {
    /// What was found.
    pub finding: Finding,
    /// Why that is right.
    pub reason: String,
}

/// What a review found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// What is not allowed.
    pub findings: Vec<Finding>,
    /// What is.
    pub allowed: Vec<Allowed>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            writeln!(f, "{finding}")?;
        }
        let (found, allowed) = (self.findings.len(), self.allowed.len());
        write!(f, "{found} found, {allowed} allowed")?;
        match self.findings.first() {
            Some(first) => {
                write!(f, "; what is right here is allowed by `allow(\"{}\", \"{}\", \"why\")`", first.rule, first.at())
            }
            None => Ok(()),
        }
    }
}
