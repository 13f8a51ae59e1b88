//! Stage 3, may this task do this: risk, permissions, paths, then the policy. Deny by default; what
//! is denied is said before what is missing.

use super::answer::Answer;
use super::contract::Checked;
use super::panics::caught;
use super::trail::Trail;
use super::{GateInner, message};
use crate::call::{Code, Stage};
use crate::contract::shown_pointer;
use crate::json::{Limits, parse};
use crate::ledger::{CallEvent, CallState};
use crate::policy::{Decision, PolicyRequest, Verdict};
use crate::resource::{PathError, PathKind, PathText, Pin};
use crate::session::TaskInfo;
use crate::store::PolicyRecord;
use crate::tool::PathSlot;

/// Proof that policy allows this call. Made only here.
#[derive(Debug)]
#[must_use = "a permit that is not used hides a skipped stage"]
pub(super) struct Permit {
    /// Why a person must be asked, beyond what the tool itself says.
    pub(super) ask: Option<String>,
    /// The paths as they resolve now; compared again at dispatch.
    pub(super) paths: Vec<PinnedPath>,
    /// Name and version of the policy.
    pub(super) policy: String,
}

#[derive(Debug, Clone)]
pub(super) struct PinnedPath {
    pub(super) pointer: String,
    pub(super) text: PathText,
    pub(super) pin: Pin,
}

impl GateInner {
    pub(super) fn authorize(&self, trail: &mut Trail, task: &TaskInfo, checked: &Checked) -> Result<Permit, Answer> {
        let policy = self.policy.version();
        let mut note = |decision: &Decision| {
            trail.record.policy = Some(PolicyRecord {
                decision: decision.verdict.as_str().to_owned(),
                policy: policy.clone(),
                rule: decision.rule.clone(),
                reason: decision.reason.clone(),
            });
        };
        let denied = |rule: &str, message: String| Answer::refuse(Code::PermissionDenied, Stage::Policy, rule, message);

        if let Err((rule, text)) = self.check_capabilities(task, checked) {
            note(&Decision::new(Verdict::Deny, rule, text.clone()));
            return Err(denied(rule, format!("not allowed in this session: {text}")));
        }
        let paths = match self.pin_paths(task, checked.paths()) {
            Ok(paths) => paths,
            Err(answer) => {
                let rule = answer.rule().unwrap_or_default().to_owned();
                note(&Decision::new(Verdict::Deny, rule, answer.message.clone()));
                return Err(answer);
            }
        };
        let resolved: Vec<(String, String)> =
            paths.iter().map(|path| (path.pointer.clone(), path.pin.resolved.clone())).collect();
        let arguments = parse(checked.canonical.as_bytes(), &Limits::MAX)
            .map_err(|error| denied("policy.error", message::BROKE_OFF.to_owned()).operator(error.to_string()))?;
        let asked = PolicyRequest {
            tool: checked.tool.spec,
            arguments: &arguments,
            principal: &task.session.principal,
            user: task.session.user.as_deref(),
            session: &task.session.id,
            task: &task.id,
            task_type: &task.task_type,
            paths: &resolved,
        };
        // A rule that can't answer refuses.
        let decision = caught(|| self.policy.decide(&asked))
            .unwrap_or_else(|panic| Decision::new(Verdict::Deny, "policy.error", self.redactor.text(&panic)));
        note(&decision);
        let ask = match decision.verdict {
            Verdict::Allow => None,
            Verdict::Ask => Some(decision.reason),
            Verdict::Deny => {
                let message = "policy does not allow this call; nothing was done".to_owned();
                return Err(
                    denied("policy.rule", message).operator(format!("rule `{}`: {}", decision.rule, decision.reason))
                );
            }
        };
        // Asked again after a person's yes, the call is there already.
        if trail.state == CallState::Validated {
            trail.step(CallEvent::Authorize);
        }
        Ok(Permit { ask, paths, policy })
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

    /// Text rules and prefixes of all paths first, then resolution: a path that may not be touched is
    /// said before one that isn't there.
    fn pin_paths(&self, task: &TaskInfo, slots: &[PathSlot]) -> Result<Vec<PinnedPath>, Answer> {
        if slots.is_empty() {
            return Ok(Vec::new());
        }
        let Some(workspace) = &task.session.workspace else {
            return Err(Answer::refuse(
                Code::PathOutsideWorkspace,
                Stage::Policy,
                "path.no_workspace",
                message::NO_WORKSPACE,
            ));
        };
        let mut texts = Vec::with_capacity(slots.len());
        for slot in slots {
            let text = workspace.check(slot.kind, &slot.text).map_err(|error| path_answer(&slot.pointer, &error))?;
            if !may_use(task, slot.kind, |prefix| text.is_beneath(prefix)) {
                return Err(not_granted(slot));
            }
            texts.push(text);
        }
        let mut missing = None;
        let mut pinned = Vec::with_capacity(slots.len());
        for (slot, text) in slots.iter().zip(texts) {
            match workspace.pin(&text) {
                // Where links lead is what counts.
                Ok(pin) if !may_use(task, slot.kind, |prefix| pin.is_beneath(prefix)) => {
                    return Err(not_granted(slot));
                }
                Ok(pin) => pinned.push(PinnedPath { pointer: slot.pointer.clone(), text, pin }),
                Err(error) if error.refused() => return Err(path_answer(&slot.pointer, &error)),
                Err(error) => missing = missing.or_else(|| Some(path_answer(&slot.pointer, &error))),
            }
        }
        missing.map_or(Ok(pinned), Err)
    }
}

fn may_use(task: &TaskInfo, kind: PathKind, beneath: impl Fn(&str) -> bool) -> bool {
    match kind {
        PathKind::Read | PathKind::Dir => task.capabilities.may_read(beneath),
        PathKind::Write | PathKind::Entry => task.capabilities.may_write(beneath),
    }
}

fn not_granted(slot: &PathSlot) -> Answer {
    let (rule, verb) = match slot.kind {
        PathKind::Read | PathKind::Dir => ("path.not_readable", "read"),
        PathKind::Write | PathKind::Entry => ("path.not_writable", "written"),
    };
    let message = format!("{}: this path may not be {verb} in this task", shown_pointer(&slot.pointer));
    Answer::refuse(Code::PathOutsideWorkspace, Stage::Policy, rule, message)
}

/// A path that is refused, or one that simply isn't there.
pub(super) fn path_answer(pointer: &str, error: &PathError) -> Answer {
    let message = format!("{}: {}", shown_pointer(pointer), error.for_model());
    let answer = if error.refused() {
        Answer::refuse(Code::PathOutsideWorkspace, Stage::Policy, error.code(), message)
    } else {
        Answer::refuse(Code::InvalidArgument, Stage::Policy, error.code(), message).retryable()
    };
    answer.operator(error.to_string())
}
