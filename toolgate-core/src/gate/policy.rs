//! Stage 3, may this task do this: risk, permissions, URLs, paths, then the policy. Deny by default; what
//! is denied is said before what is missing.

use super::GateInner;
use super::answer::Answer;
use super::contract::Checked;
use super::panics::caught;
use super::paths::{PinnedPath, pin_paths};
use super::trail::Trail;
use super::urls::check_urls;
use crate::call::{Code, Stage};
use crate::ledger::{CallEvent, CallState};
use crate::policy::{Arguments, Decision, PolicyRequest, Verdict};
use crate::session::TaskInfo;
use crate::store::PolicyRecord;

/// Proof that policy allows this call. Made only here.
#[derive(Debug)]
#[must_use = "a permit that is not used hides a skipped stage"]
pub(super) struct Permit {
    /// Why a person must be asked, beyond what the tool itself says.
    pub(super) ask: Option<String>,
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
        let mut note = |decision: Decision| {
            let Decision { verdict, rule, reason } = decision;
            let (decision, policy) = (verdict.as_str().to_owned(), self.policy.version());
            trail.record.policy = Some(PolicyRecord { decision, policy, rule, reason });
        };
        let denied = |rule: &str, message: String| Answer::refuse(Code::PermissionDenied, Stage::Policy, rule, message);

        if let Err((rule, text)) = self.check_capabilities(task, checked) {
            note(Decision::new(Verdict::Deny, rule, text.clone()));
            return Err(denied(rule, format!("not allowed in this session: {text}")));
        }
        let resources = check_urls(task, checked.urls()).and_then(|urls| Ok((urls, pin_paths(task, checked.paths())?)));
        let (urls, paths) = match resources {
            Ok(resources) => resources,
            Err(answer) => {
                let rule = answer.rule().unwrap_or_default().to_owned();
                note(Decision::new(Verdict::Deny, rule, answer.message.clone()));
                return Err(answer);
            }
        };
        let arguments = Arguments::of_canonical(&checked.canonical);
        let asked = PolicyRequest {
            tool: checked.tool.spec,
            arguments: &arguments,
            principal: &task.session.principal,
            user: task.session.user.as_deref(),
            session: &task.session.id,
            task: &task.id,
            task_type: &task.task_type,
            paths: &paths.places,
            urls: &urls,
        };
        // A rule that can't answer refuses.
        let decision = caught(|| self.policy.decide(&asked))
            .unwrap_or_else(|panic| Decision::new(Verdict::Deny, "policy.error", self.redactor.text(&panic)));
        let ask = match decision.verdict {
            Verdict::Allow => Ok(None),
            Verdict::Ask => Ok(Some(decision.reason.clone())),
            Verdict::Deny => {
                let message = "policy does not allow this call; nothing was done".to_owned();
                Err(denied("policy.rule", message).operator(format!("rule `{}`: {}", decision.rule, decision.reason)))
            }
        };
        note(decision);
        let ask = ask?;
        // Asked again after a person's yes, the call is there already.
        if trail.state == CallState::Validated {
            trail.step(CallEvent::Authorize);
        }
        Ok(Permit { ask, paths: paths.pinned, missing: paths.missing })
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
