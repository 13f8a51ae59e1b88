//! What another policy would have said of each call: recorded beside the answer, and changing nothing.

use std::sync::Arc;

use super::GateInner;
use super::contract::Checked;
use super::limit::whose;
use super::meter::Meters;
use super::panics::caught;
use super::policy::policy_record;
use super::trail::Trail;
use crate::policy::{Decision, Limit, Policy, Verdict};
use crate::session::TaskInfo;
use crate::store::{Millis, PolicyRecord};

/// A policy that is only asked, with counters of its own.
#[derive(Debug)]
pub(super) struct Shadow {
    pub(super) policy: Arc<dyn Policy>,
    pub(super) meters: Meters,
}

impl Shadow {
    /// Its limits, or what its panic said.
    pub(super) fn limits(&self, task_type: &str, tool: &str) -> Result<Vec<Limit>, String> {
        caught(|| self.policy.limits(task_type, tool))
    }

    /// Whether it may ask where values come from. One that can't say may.
    pub(super) fn reads_provenance(&self) -> bool {
        caught(|| self.policy.reads_provenance()).unwrap_or(true)
    }
}

/// What is recorded of a shadow that panicked.
fn failed(panic: String) -> PolicyRecord {
    policy_record("", &Decision::new(Verdict::Deny, "policy.error", panic))
}

impl GateInner {
    /// Records what the shadow policy says.
    pub(super) fn ask_shadow(&self, trail: &mut Trail, task: &TaskInfo, checked: &Checked) {
        let Some(shadow) = &self.shadow else { return };
        let said =
            caught(|| policy_record(&shadow.policy.version(), &self.asked_of(&*shadow.policy, task, checked).decision));
        let said = said.unwrap_or_else(failed);
        trail.record.shadow = Some(PolicyRecord { reason: self.redactor.text(&said.reason), ..said });
    }

    /// Counts the call in the shadow's limits, where it let it through.
    pub(super) fn count_shadow(&self, trail: &mut Trail, task: &TaskInfo, checked: &Checked, now: Millis) {
        let Some(shadow) = &self.shadow else { return };
        let denies = |said: &PolicyRecord| said.decision == Verdict::Deny.as_str();
        if trail.record.shadow.as_ref().is_none_or(denies) {
            return;
        }
        let limits = match shadow.limits(&task.task_type, checked.tool.spec.name) {
            Ok(limits) => limits,
            Err(panic) => {
                let said = failed(panic);
                trail.record.shadow = Some(PolicyRecord { reason: self.redactor.text(&said.reason), ..said });
                return;
            }
        };
        let bytes = u64::try_from(checked.canonical.len()).unwrap_or(u64::MAX);
        if let Err(reached) = shadow.meters.admit(&limits, whose(task), bytes, now) {
            let policy = trail.record.shadow.take().map(|said| said.policy).unwrap_or_default();
            let decision = Decision::new(Verdict::Deny, reached.rule, "a limit is reached");
            trail.record.shadow = Some(policy_record(&policy, &decision));
        }
    }
}
