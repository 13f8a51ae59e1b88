//! What another policy would have said of each call: recorded beside the answer, and changing nothing.

use std::sync::Arc;

use super::GateInner;
use super::contract::Checked;
use super::meter::{Meters, Whose};
use super::policy::policy_record;
use super::trail::Trail;
use crate::policy::{Policy, Verdict};
use crate::session::TaskInfo;
use crate::store::{Millis, PolicyRecord};

/// A policy that is only asked, with counters of its own.
#[derive(Debug)]
pub(super) struct Shadow {
    pub(super) policy: Arc<dyn Policy>,
    pub(super) meters: Meters,
}

impl GateInner {
    /// Records what the shadow policy says.
    pub(super) fn ask_shadow(&self, trail: &mut Trail, task: &TaskInfo, checked: &Checked) {
        let Some(shadow) = &self.shadow else { return };
        let said = self.asked_of(&*shadow.policy, task, checked).decision;
        let said = policy_record(&shadow.policy.version(), &said);
        trail.record.shadow = Some(PolicyRecord { reason: self.redactor.text(&said.reason), ..said });
    }

    /// Counts the call in the shadow's limits, where it let it through.
    pub(super) fn count_shadow(&self, trail: &mut Trail, task: &TaskInfo, checked: &Checked, now: Millis) {
        let Some(shadow) = &self.shadow else { return };
        let denies = |said: &PolicyRecord| said.decision == Verdict::Deny.as_str();
        if trail.record.shadow.as_ref().is_none_or(denies) {
            return;
        }
        let limits = shadow.policy.limits(&task.task_type, checked.tool.spec.name);
        let whose = Whose { session: &task.session.bound, task: &task.id };
        let bytes = u64::try_from(checked.canonical.len()).unwrap_or(u64::MAX);
        if let Err(reached) = shadow.meters.admit(&limits, whose, bytes, now) {
            let decision = Verdict::Deny.as_str().to_owned();
            let (policy, rule) = (shadow.policy.version(), reached.rule.to_owned());
            let reason = "a limit is reached".to_owned();
            trail.record.shadow = Some(PolicyRecord { decision, policy, rule, reason });
        }
    }
}
