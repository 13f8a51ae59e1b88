//! Stage 3, may this task do this: risk, permissions, paths, then the policy. Deny by default; what
//! is denied is said before what is missing.

use super::GateInner;
use super::answer::Answer;
use super::contract::Checked;
use super::panics::caught;
use super::paths::{PinnedPath, pin_paths};
use super::taint::{Origins, with_origins};
use super::trail::Trail;
use crate::call::{Code, Stage};
use crate::ledger::{CallEvent, CallState};
use crate::policy::{Arguments, Decision, PolicyRequest, Verdict};
use crate::session::TaskInfo;
use crate::store::PolicyRecord;
use crate::taint::Traced;

/// Proof that policy allows this call. Made only here.
#[derive(Debug)]
#[must_use = "a permit that is not used hides a skipped stage"]
pub(super) struct Permit {
    /// Why a person must be asked, beyond what the tool itself says.
    pub(super) ask: Option<String>,
    /// Where its values come from, as far as anybody asked.
    pub(super) origins: Origins,
    /// The paths as they resolve now; compared again at dispatch.
    pub(super) paths: Vec<PinnedPath>,
    /// What is said where a path isn't there, unless the ledger has the call's answer.
    missing: Option<Answer>,
}

impl Permit {
    /// Ends a call one of whose paths isn't there.
    pub(super) fn require_paths(&self) -> Result<(), Answer> {
        self.missing.clone().map_or(Ok(()), Err)
    }
}

impl GateInner {
    pub(super) fn authorize(&self, trail: &mut Trail, task: &TaskInfo, checked: &Checked) -> Result<Permit, Answer> {
        let note = |trail: &mut Trail, decision: Decision| {
            let Decision { verdict, rule, reason } = decision;
            let (decision, policy) = (verdict.as_str().to_owned(), self.policy.version());
            trail.record.policy = Some(PolicyRecord { decision, policy, rule, reason });
        };
        let denied = |rule: &str, message: String| Answer::refuse(Code::PermissionDenied, Stage::Policy, rule, message);

        if let Err((rule, text)) = self.check_capabilities(task, checked) {
            note(trail, Decision::new(Verdict::Deny, rule, text.clone()));
            return Err(denied(rule, format!("not allowed in this session: {text}")));
        }
        let paths = match pin_paths(task, checked.paths()) {
            Ok(paths) => paths,
            Err(answer) => {
                let rule = answer.rule().unwrap_or_default().to_owned();
                note(trail, Decision::new(Verdict::Deny, rule, answer.message.clone()));
                return Err(answer);
            }
        };
        let arguments = Arguments::of_canonical(&checked.canonical);
        let traced = Traced::new(&task.taint);
        let asked = PolicyRequest {
            tool: checked.tool.spec,
            arguments: &arguments,
            principal: &task.session.principal,
            user: task.session.user.as_deref(),
            session: &task.session.id,
            task: &task.id,
            task_type: &task.task_type,
            paths: &paths.places,
            values: &traced,
        };
        // A rule that can't answer refuses.
        let decision = caught(|| self.policy.decide(&asked))
            .unwrap_or_else(|panic| Decision::new(Verdict::Deny, "policy.error", self.redactor.text(&panic)));
        let origins = self.note_origins(trail, task, checked, traced);
        let ask = match decision.verdict {
            Verdict::Allow => Ok(None),
            Verdict::Ask => Ok(Some(decision.reason.clone())),
            Verdict::Deny => {
                let message = "policy does not allow this call; nothing was done".to_owned();
                let Decision { rule, reason, .. } = with_origins(decision.clone(), &origins);
                Err(denied("policy.rule", message).operator(format!("rule `{rule}`: {reason}")))
            }
        };
        note(trail, if decision.verdict == Verdict::Allow { decision } else { with_origins(decision, &origins) });
        let ask = ask?;
        // Asked again after a person's yes, the call is there already.
        if trail.state == CallState::Validated {
            trail.step(CallEvent::Authorize);
        }
        Ok(Permit { ask, origins, paths: paths.pinned, missing: paths.missing })
    }

    fn check_capabilities(&self, task: &TaskInfo, checked: &Checked) -> Result<(), (&'static str, String)> {
        let spec = checked.tool.spec;
        if checked.tool.reader {
            return Ok(());
        }
        if !task.capabilities.allows_risk(spec.risk) {
            return Err(("policy.risk", format!("`{}` is a tool of risk `{}`", spec.name, spec.risk)));
        }
        match spec.permissions.iter().find(|permission| !task.capabilities.holds(permission)) {
            Some(missing) => Err(("policy.permission", format!("`{}` needs the permission `{missing}`", spec.name))),
            None => Ok(()),
        }
    }
}
