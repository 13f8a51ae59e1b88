//! What a task may do at this moment: what its host granted, within what the policy grants. Controls that aren't
//! enforced yet take nothing away; what they would have is noted.

use super::GateInner;
use super::contract::Checked;
use super::paths::{PinnedPath, may_use};
use super::trail::Trail;
use crate::alert::Alert;
use crate::policy::{GrantModes, Granted, Mode, Policy, Verdict, WouldRefuse};
use crate::session::{Capabilities, Narrowing, TaskInfo};
use crate::spec::{Builtin, RegisteredTool};

/// Most refusals that are noted for one call.
const NOTED: usize = 50;

/// A task as the policy governs it for one tool.
#[derive(Debug)]
pub(super) struct Governed<'t> {
    given: &'t Capabilities,
    /// What is enforced of it, where the policy grants anything itself.
    within: Option<Capabilities>,
    soft: Soft,
}

/// Grants that aren't enforced as a whole, and how far each part of them goes.
pub(super) type Soft = Vec<(Capabilities, GrantModes)>;

impl<'t> Governed<'t> {
    pub(super) fn of(policy: &dyn Policy, task: &'t TaskInfo, tool: &str) -> Self {
        let grants = policy.grants(&task.task_type, tool);
        if grants.is_empty() {
            return Self { given: &task.capabilities, within: None, soft: Vec::new() };
        }
        let mut capabilities = task.capabilities.clone();
        let mut soft = Soft::new();
        // Where the host left everything to the policy, nothing is behind a control that isn't enforced.
        let is_alone = capabilities.are_left_to_policy();
        for granted in grants {
            let modes = if is_alone { GrantModes::ENFORCED } else { granted.modes };
            capabilities = capabilities.within(enforced(&granted, modes));
            if modes != GrantModes::ENFORCED {
                let all = enforced(&granted, GrantModes::ENFORCED);
                soft.push((Capabilities::by_policy().within(all), modes));
            }
        }
        Self { given: &task.capabilities, within: Some(capabilities), soft }
    }

    /// What the task may do, as far as it is enforced.
    pub(super) fn may(&self) -> &Capabilities {
        self.within.as_ref().unwrap_or(self.given)
    }

    /// What the task may do, where that is another than it was given; and what isn't enforced.
    pub(super) fn into_parts(self) -> (Option<Capabilities>, Soft) {
        (self.within, self.soft)
    }

    /// What the grants would have refused of this call, were they enforced.
    pub(super) fn would_refuse(&self, checked: &Checked, paths: &[PinnedPath]) -> Vec<WouldRefuse> {
        let spec = checked.tool.spec;
        let mut found = Vec::new();
        let mut note = |refused: bool, mode: Mode, rule: &str, reason: String| {
            if refused && mode != Mode::Enforce {
                found.push(WouldRefuse::new(Verdict::Deny, rule, mode, reason));
            }
        };
        for (grants, modes) in &self.soft {
            let name = spec.name;
            note(!grants.allows_tool(name), modes.tools, "policy.tool", format!("`{name}` is not granted"));
            note(
                !grants.allows_risk(spec.risk),
                modes.risks,
                "policy.risk",
                format!("risk `{}` is not granted", spec.risk),
            );
            for permission in spec.permissions.iter().filter(|permission| !grants.holds(permission)) {
                note(true, modes.permissions, "policy.permission", format!("`{permission}` is not granted"));
            }
            let hosts = (!checked.urls().is_empty()).then(|| grants.reachable());
            for url in checked.urls() {
                let refused = hosts.as_ref().is_some_and(|hosts| hosts.read(&url.text).is_err());
                let reason = format!("the host of {} is not granted", url.pointer);
                note(refused, modes.hosts, "net.host_not_allowed", reason);
            }
            for path in paths {
                let may = may_use(grants, path.text.kind(), |prefix| {
                    path.text.is_beneath(prefix) && path.pin.is_beneath(prefix)
                });
                note(
                    !may,
                    modes.paths,
                    "path.not_granted",
                    format!("{} leads outside of the granted folders", path.pointer),
                );
            }
        }
        found
    }
}

/// The parts of a grant that refuse.
fn enforced(granted: &Granted<'_>, modes: GrantModes) -> Narrowing {
    let grants = granted.grants;
    let is = |mode: Mode| mode == Mode::Enforce;
    let mut narrowing = Narrowing::default();
    if is(modes.tools) {
        narrowing = narrowing.allow_tools(grants.tools.iter().cloned());
    }
    if is(modes.risks) {
        narrowing = narrowing.allow_risks(grants.risks.iter().copied());
    }
    if is(modes.permissions) {
        narrowing = narrowing.permissions(grants.permissions.iter().cloned());
    }
    if is(modes.paths) {
        let (readable, writable) = (grants.readable.iter().cloned(), grants.writable.iter().cloned());
        narrowing = narrowing.readable(readable).writable(writable);
    }
    if is(modes.hosts) {
        narrowing = narrowing.hosts(grants.hosts.iter().cloned());
    }
    if is(modes.programs) {
        narrowing = narrowing.programs(grants.programs.iter().cloned());
    }
    if is(modes.credentials) {
        let none = narrowing.credentials(std::iter::empty::<String>());
        let each = grants.credentials.iter();
        narrowing = each.fold(none, |narrowing, (name, tools)| narrowing.credential_for(name, tools));
    }
    narrowing
}

impl GateInner {
    /// Whether a task may name a tool at all.
    pub(super) fn may_name(&self, task: &TaskInfo, tool: &RegisteredTool) -> bool {
        tool.builtin.is_some() || Governed::of(&*self.policy(), task, tool.spec.name).may().allows_tool(tool.spec.name)
    }

    /// Whether a tool is shown to the model of a task.
    pub(crate) fn may_see(&self, task: &TaskInfo, tool: &RegisteredTool) -> bool {
        let sees = |tool: &RegisteredTool| Governed::of(&*self.policy(), task, tool.spec.name).may().may_see(tool);
        match tool.builtin {
            None => sees(tool),
            Some(Builtin::ReadResult) => true,
            // Of use to who may have such calls; whoever has one may name them, whatever became of its tool.
            Some(Builtin::ReadCall | Builtin::CancelCall) => {
                self.tools.iter().any(|tool| tool.spec.background && sees(tool))
            }
        }
    }

    /// Notes what controls would have refused that aren't enforced yet, and tells of those that warn.
    pub(super) fn note_soft(&self, trail: &mut Trail, found: impl IntoIterator<Item = WouldRefuse>) {
        for refusal in found {
            let refusal = WouldRefuse { reason: self.redactor.text(&refusal.reason), ..refusal };
            let noted = &trail.record.would_refuse;
            if noted.len() >= NOTED || noted.contains(&refusal) {
                continue;
            }
            if refusal.mode == Mode::Warn {
                let (call_id, tool) = (&trail.record.call_id, &trail.record.tool);
                tracing::warn!(%call_id, %tool, rule = %refusal.rule, "a control that isn't enforced would have refused");
                self.alerts.tell(Alert::warning(&trail.record, &refusal));
            }
            trail.record.would_refuse.push(refusal);
        }
    }
}
