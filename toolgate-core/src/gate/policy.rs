//! Stage 3, may this task do this: risk, permissions, URLs, paths, then the policy. Deny by default; what
//! is denied is said before what is missing.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::GateInner;
use super::answer::Answer;
use super::contract::Checked;
use super::governed::{Governed, Soft};
use super::panics::caught;
use super::paths::{Paths, PinnedPath, pin_paths};
use super::taint::{Origins, told_origins, with_origins};
use super::trail::Trail;
use super::urls::check_urls;
use crate::call::{Code, Stage};
use crate::ledger::{CallEvent, CallState};
use crate::policy::{Arguments, Control, Decision, Mode, Policy, PolicyRequest, Verdict};
use crate::session::{Capabilities, TaskInfo};
use crate::store::PolicyRecord;
use crate::taint::{Origin, Traced};

/// Proof that policy allows this call. Made only here.
#[derive(Debug)]
#[must_use = "a permit that is not used hides a skipped stage"]
pub(super) struct Permit {
    /// Why a person must be asked, beyond what the tool itself says.
    pub(super) ask: Option<String>,
    /// Where its values come from, as far as anybody asked.
    pub(super) origins: Origins,
    /// How many different people must say yes, where one is asked.
    pub(super) approvers: u32,
    /// The paths as they resolve now; compared again at dispatch.
    pub(super) paths: Vec<PinnedPath>,
    /// What is said where a path isn't there, unless the ledger has the call's answer.
    missing: Option<Answer>,
    /// The policy that said so.
    pub(super) policy: Arc<dyn Policy>,
    /// What the call may do, where the policy makes that another than what its task was given.
    pub(super) capabilities: Option<Capabilities>,
    /// Grants that aren't enforced yet, for what is used inside of the run.
    pub(super) soft: Soft,
}

impl Permit {
    /// Ends a call one of whose paths isn't there.
    pub(super) fn require_paths(&self) -> Result<(), Answer> {
        self.missing.clone().map_or(Ok(()), Err)
    }

    /// How far a control goes that the tool itself asks for.
    pub(super) fn mode(&self, control: Control, task: &TaskInfo, checked: &Checked) -> Mode {
        self.policy.mode(control, &task.task_type, checked.tool.spec.name).unwrap_or(Mode::Enforce)
    }
}

/// What a policy, with the capabilities of the task, says of a call.
pub(super) struct Judged<'t> {
    pub(super) decision: Decision,
    /// How the call ends, where it is denied.
    refused: Option<Answer>,
    paths: Paths,
    governed: Governed<'t>,
    /// Where the values come from that the policy asked about, by argument.
    traced: BTreeMap<String, Origin>,
}

impl GateInner {
    pub(super) fn authorize(&self, trail: &mut Trail, task: &TaskInfo, checked: &Checked) -> Result<Permit, Answer> {
        let policy = self.policy();
        let Judged { decision, refused, paths, governed, traced } = self.asked_of(&*policy, task, checked);
        // Before the arguments are part of what the task was told.
        self.ask_shadow(trail, task, checked);
        let origins = self.note_origins(trail, task, checked, traced);
        let ask = (decision.verdict == Verdict::Ask).then(|| decision.reason.clone());
        let Decision { verdict, rule, reason, approvers, not_in_list: _, would_refuse } =
            with_origins(decision, &origins);
        let (decision, version) = (verdict.as_str().to_owned(), policy.version());
        trail.record.policy = Some(PolicyRecord { decision, policy: version, rule, reason });
        let grants = governed.would_refuse(checked, &paths.pinned);
        self.note_soft(trail, would_refuse.into_iter().chain(grants));
        if let Some(answer) = refused {
            return Err(told_origins(answer, &origins));
        }
        // Asked again after a person's yes, the call is there already.
        if trail.state == CallState::Validated {
            trail.step(CallEvent::Authorize);
        }
        let (paths, missing) = (paths.pinned, paths.missing);
        let (capabilities, soft) = governed.into_parts();
        Ok(Permit { ask, origins, approvers, paths, missing, policy, capabilities, soft })
    }

    /// The answer of a policy: what the task may do within its grants, then what it decides.
    pub(super) fn asked_of<'t>(&self, policy: &dyn Policy, task: &'t TaskInfo, checked: &Checked) -> Judged<'t> {
        let governed = Governed::of(policy, task, checked.tool.spec.name);
        let may = governed.may();
        let denied = |rule: &str, message: String| Answer::refuse(Code::PermissionDenied, Stage::Policy, rule, message);
        if let Err((rule, text)) = check_capabilities(may, checked) {
            let decision = Decision::new(Verdict::Deny, rule, text.clone());
            let refused = Some(denied(rule, format!("not allowed in this session: {text}")));
            return Judged { decision, refused, paths: Paths::default(), governed, traced: BTreeMap::new() };
        }
        let resources = check_urls(may, checked.urls())
            .and_then(|urls| Ok((urls, pin_paths(task, may, checked.paths(), checked.undoes.is_some())?)));
        let (urls, paths) = match resources {
            Ok(resources) => resources,
            Err(answer) => {
                let rule = answer.rule().unwrap_or_default().to_owned();
                let decision = Decision::new(Verdict::Deny, rule, answer.message.clone());
                let traced = BTreeMap::new();
                return Judged { decision, refused: Some(answer), paths: Paths::default(), governed, traced };
            }
        };
        let arguments = Arguments::of_canonical(&checked.canonical);
        let traced = Traced::of_tool(&task.taint, checked.tool.spec.name);
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
            values: &traced,
        };
        // A rule that can't answer refuses.
        let decision = caught(|| policy.decide(&asked))
            .unwrap_or_else(|panic| Decision::new(Verdict::Deny, "policy.error", self.redactor.text(&panic)));
        let refused = (decision.verdict == Verdict::Deny).then(|| refusal(&decision));
        let traced = traced.into_asked();
        Judged { decision, refused, paths, governed, traced }
    }
}

fn check_capabilities(may: &Capabilities, checked: &Checked) -> Result<(), (&'static str, String)> {
    let spec = checked.tool.spec;
    if checked.tool.builtin.is_some() {
        return Ok(());
    }
    // It was seen before; the policy may have been replaced since.
    if !may.allows_tool(spec.name) {
        return Err(("policy.tool", format!("`{}` is not granted", spec.name)));
    }
    if !may.allows_risk(spec.risk) {
        return Err(("policy.risk", format!("`{}` is a tool of risk `{}`", spec.name, spec.risk)));
    }
    match spec.permissions.iter().find(|permission| !may.holds(permission)) {
        Some(missing) => Err(("policy.permission", format!("`{}` needs the permission `{missing}`", spec.name))),
        None => Ok(()),
    }
}

pub(super) fn policy_record(policy: &str, decision: &Decision) -> PolicyRecord {
    PolicyRecord {
        decision: decision.verdict.as_str().to_owned(),
        policy: policy.to_owned(),
        rule: decision.rule.clone(),
        reason: decision.reason.clone(),
    }
}

/// What the model is told of a denial; the rule and its reason are the operator's.
fn refusal(decision: &Decision) -> Answer {
    let operator = format!("rule `{}`: {}", decision.rule, decision.reason);
    let denied = |rule: &str, message: &str| Answer::refuse(Code::PermissionDenied, Stage::Policy, rule, message);
    match &decision.not_in_list {
        Some(pointer) => {
            let text = "an argument is none of the values that policy lists for it; nothing was done. `pointer` in \
                        details says which";
            denied("policy.not_in_list", text).detail("pointer", pointer.as_str())
        }
        None => denied("policy.rule", "policy does not allow this call; nothing was done"),
    }
    .operator(operator)
}
