//! Limits of the policy, looked at where capabilities count their calls: after the ledger, so that a spent limit hides
//! no recorded answer. The counting itself is `meter.rs`'s.

use std::time::Duration;

use serde_json::Value;

use super::answer::Answer;
use super::blocks::Blocks;
use super::contract::Checked;
use super::meter::{Reached, Whose};
use super::policy::policy_record;
use super::trail::Trail;
use super::{GateInner, Request, message};
use crate::call::{Code, Stage};
use crate::clock::format_time;
use crate::policy::{Counted, Decision, Verdict, WouldRefuse};
use crate::session::TaskInfo;
use crate::store::Millis;

impl GateInner {
    /// Counts the call in all limits, of capabilities and of the policy, or in none. A call that is dispatched for its
    /// ticket was counted when it asked.
    pub(super) fn count(
        &self,
        trail: &mut Trail,
        task: &TaskInfo,
        request: &Request,
        checked: &Checked,
    ) -> Result<(), Answer> {
        if request.resuming.is_some() {
            return Ok(());
        }
        if !task.capabilities.count_call() {
            return Err(super::recall::limited());
        }
        let now = self.clock.now_ms();
        self.count_shadow(trail, task, checked, now);
        let policy = self.policy();
        let limits = policy.limits(&task.task_type, checked.tool.spec.name);
        let bytes = u64::try_from(checked.canonical.len()).unwrap_or(u64::MAX);
        let passed = match self.meters.admit(&limits, whose(task), bytes, now) {
            Ok(passed) => passed,
            Err(reached) => {
                task.capabilities.give_back_call();
                let decision = Decision::new(Verdict::Deny, reached.rule, reason(&reached));
                trail.record.policy = Some(policy_record(&policy.version(), &decision));
                return Err(refused(&reached, now));
            }
        };
        let noted =
            passed.iter().map(|reached| WouldRefuse::new(Verdict::Deny, reached.rule, reached.mode, reason(reached)));
        self.note_soft(trail, noted);
        Ok(())
    }

    /// What the run of a call has used, as far as it is answered: time, and bytes of its result.
    pub(super) fn count_run(&self, trail: &Trail, task: &TaskInfo, result: Option<&(Value, Blocks)>, now: Millis) {
        let tool = trail.record.tool.as_str();
        let limits = self.policy().limits(&task.task_type, tool);
        let shadow =
            self.shadow.as_ref().map(|shadow| (shadow, shadow.limits(&task.task_type, tool).unwrap_or_default()));
        if limits.is_empty() && shadow.as_ref().is_none_or(|(_, limits)| limits.is_empty()) {
            return;
        }
        let blocks: u64 = trail.record.content.iter().filter_map(|block| block.bytes).sum();
        let bytes = result.map_or(0, |(value, _)| blocks.saturating_add(value.to_string().len() as u64));
        let began = trail.record.started_ms.unwrap_or(now);
        let time = Duration::from_millis(u64::try_from(now.saturating_sub(began)).unwrap_or_default());
        self.meters.add(&limits, whose(task), bytes, time);
        if let Some((shadow, limits)) = shadow {
            shadow.meters.add(&limits, whose(task), bytes, time);
        }
    }
}

pub(super) fn whose(task: &TaskInfo) -> Whose<'_> {
    Whose { session: &task.session.bound, task: &task.id }
}

fn reason(reached: &Reached) -> String {
    match &reached.counted {
        Some(Counted::Session) => "the limits of the session".to_owned(),
        Some(Counted::Task(task_type)) => format!("the limits of a task of type `{task_type}`"),
        Some(Counted::Tool(tool)) => format!("the limits of `{tool}` in a session"),
        None => "too many sessions are counted at once".to_owned(),
    }
}

fn refused(reached: &Reached, now: Millis) -> Answer {
    let text = match reached.rule {
        "limit.rate" => message::TOO_FAST,
        "limit.bytes" => message::TOO_MANY_BYTES,
        "limit.wall_time" => message::TOO_MUCH_TIME,
        "limit.not_counted" => message::NOT_COUNTED,
        _ => message::LIMIT,
    };
    let answer = Answer::refuse(Code::LimitExceeded, Stage::Policy, reached.rule, text).operator(reason(reached));
    match reached.retry_ms {
        Some(wait) => answer
            .retryable()
            .detail("retry_after_ms", wait)
            .detail("retry_at", format_time(now.saturating_add(wait).saturating_add(999))),
        None => answer,
    }
}
