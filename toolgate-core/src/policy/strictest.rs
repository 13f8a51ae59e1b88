//! Several answers as one: the strictest counts, whatever order they are in. Not a vote, and no answer is
//! passed over.

use std::sync::Arc;

use super::{Control, Decision, Granted, Limit, Mode, Policy, PolicyRequest, Verdict};
use crate::contract::SpecFault;
use crate::spec::Toolset;

/// The answer of the strictest of these: deny before ask before allow. Several that are equally strict are named
/// together, sorted, each with its reason. `None` where nothing was said.
pub(super) fn strictest(said: impl IntoIterator<Item = Decision>) -> Option<Decision> {
    let mut kept: Vec<Decision> = Vec::new();
    let mut would_refuse = Vec::new();
    for mut decision in said {
        would_refuse.append(&mut decision.would_refuse);
        match kept.first().map(|first| strictness(decision.verdict).cmp(&strictness(first.verdict))) {
            Some(std::cmp::Ordering::Less) => continue,
            Some(std::cmp::Ordering::Greater) => kept.clear(),
            Some(std::cmp::Ordering::Equal) | None => {}
        }
        kept.push(decision);
    }
    kept.sort_by(|left, right| (&left.rule, &left.reason).cmp(&(&right.rule, &right.reason)));
    kept.dedup();
    let verdict = kept.first()?.verdict;
    let approvers = kept.iter().map(|said| said.approvers).max().unwrap_or(1);
    let not_in_list = kept.iter().find_map(|said| said.not_in_list.clone());
    let all = |part: fn(&Decision) -> &str, between: &str| {
        let mut parts: Vec<&str> = kept.iter().map(part).collect();
        parts.dedup();
        parts.join(between)
    };
    let (rule, reason) = (all(|said| &said.rule, ", "), all(|said| &said.reason, "; "));
    Some(Decision { verdict, rule, reason, approvers, not_in_list, would_refuse })
}

const fn strictness(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Allow => 0,
        Verdict::Ask => 1,
        Verdict::Deny => 2,
    }
}

/// Several policies, each of which is asked about every call: the strictest answer counts.
///
/// ```
/// use toolgate_core::policy::{ArgumentRules, AskForRisks, Rule, Strictest};
/// use toolgate_core::spec::Risk;
///
/// let rules = ArgumentRules::new("desk/4").rule(Rule::allow("all", "granted to the session"));
/// let policy = Strictest::default().and(AskForRisks { risks: vec![Risk::External] }).and(rules);
/// # drop(policy);
/// ```
#[derive(Debug, Clone, Default)]
#[must_use = "a policy has no effect until a gate has it"]
pub struct Strictest {
    policies: Vec<Arc<dyn Policy>>,
}

impl Strictest {
    /// And this one.
    pub fn and(mut self, policy: impl Policy + 'static) -> Self {
        self.policies.push(Arc::new(policy));
        self
    }
}

impl Policy for Strictest {
    /// The versions of all, joined by ` + `.
    fn version(&self) -> String {
        let versions: Vec<String> = self.policies.iter().map(|policy| policy.version()).collect();
        versions.join(" + ")
    }

    /// Without any policy: deny.
    fn decide(&self, request: &PolicyRequest<'_>) -> Decision {
        strictest(self.policies.iter().map(|policy| policy.decide(request)))
            .unwrap_or_else(|| Decision::new(Verdict::Deny, "no_policy", "no policy was given"))
    }

    fn grants<'p>(&'p self, task_type: &str, tool: &str) -> Vec<Granted<'p>> {
        self.policies.iter().flat_map(|policy| policy.grants(task_type, tool)).collect()
    }

    fn limits(&self, task_type: &str, tool: &str) -> Vec<Limit> {
        self.policies.iter().flat_map(|policy| policy.limits(task_type, tool)).collect()
    }

    /// The strictest that any says.
    fn mode(&self, control: Control, task_type: &str, tool: &str) -> Option<Mode> {
        self.policies.iter().filter_map(|policy| policy.mode(control, task_type, tool)).max()
    }

    fn check(&self, tools: &Toolset) -> Vec<SpecFault> {
        self.policies.iter().flat_map(|policy| policy.check(tools)).collect()
    }
}
