//! What is allowed in spite of a rule, one place at a time and with a reason. Not a way to turn a rule off.

use std::fmt;

use toolgate_expr::{did_you_mean, nearest};

use super::finding::{Allowed, Finding, Report};
use super::rule::{STALE, rules};

/// Rule, place and reason, as written.
#[derive(Debug, Clone)]
pub(super) struct Allowance {
    pub(super) rule: String,
    pub(super) place: String,
    pub(super) reason: String,
}

/// Why a review can't be run: tools that don't fit together, allowances that can't be meant; everything at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewFault {
    /// One line per fault.
    pub faults: Vec<String>,
}

impl fmt::Display for ReviewFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.faults.join("\n"))
    }
}

impl std::error::Error for ReviewFault {}

/// Refuses what can't be meant.
pub(super) fn check(allowances: &[Allowance]) -> Result<(), ReviewFault> {
    let faults: Vec<String> = allowances.iter().filter_map(fault).collect();
    if faults.is_empty() { Ok(()) } else { Err(ReviewFault { faults }) }
}

fn fault(allowance: &Allowance) -> Option<String> {
    let Allowance { rule, place, reason } = allowance;
    if *rule == STALE.id {
        return Some(format!("an allowance of `{rule}` at `{place}`: remove the allowance that nothing needs instead"));
    }
    if !rules().any(|known| known.id == rule) {
        let near = did_you_mean(rule, rules().map(|known| known.id));
        return Some(format!("an allowance at `{place}` names the rule `{rule}`, which doesn't exist{near}"));
    }
    if reason.trim().is_empty() {
        return Some(format!("the allowance of `{rule}` at `{place}` has no reason; say why it is right there"));
    }
    None
}

/// Parts what is allowed from what is not. An allowance that nothing needs is found, too: what it spoke of was mended
/// or renamed.
pub(super) fn apply(allowances: &[Allowance], found: Vec<Finding>) -> Report {
    let matches =
        |allowance: &Allowance, finding: &Finding| allowance.rule == finding.rule && allowance.place == finding.at();
    let mut stale: Vec<Finding> = Vec::new();
    for (n, allowance) in allowances.iter().enumerate() {
        let Allowance { rule, place, reason: _ } = allowance;
        let again = allowances.iter().take(n).any(|before| before.rule == *rule && before.place == *place);
        if again || !found.iter().any(|finding| matches(allowance, finding)) {
            stale.push(stale_finding(rule, place, again, &found));
        }
    }
    let mut report = Report::default();
    for finding in found {
        match allowances.iter().find(|allowance| matches(allowance, &finding)) {
            Some(allowance) => report.allowed.push(Allowed { finding, reason: allowance.reason.clone() }),
            None => report.findings.push(finding),
        }
    }
    report.findings.extend(stale);
    report
}

fn stale_finding(rule: &str, place: &str, again: bool, found: &[Finding]) -> Finding {
    let places: Vec<String> = found.iter().filter(|finding| finding.rule == rule).map(Finding::at).collect();
    let near = nearest(place, places.iter().map(String::as_str));
    let message = match near {
        _ if again => format!("`{rule}` is allowed here twice; remove one of the two"),
        Some(near) => format!("`{rule}` is allowed here, and nothing needs it; did you mean `{near}`?"),
        None => format!("`{rule}` is allowed here, and nothing needs it; remove the allowance"),
    };
    let (tool, pointer) = place.split_at(place.find('/').unwrap_or(place.len()));
    Finding { rule: STALE.id, severity: STALE.severity, tool: tool.to_owned(), place: pointer.to_owned(), message }
}
