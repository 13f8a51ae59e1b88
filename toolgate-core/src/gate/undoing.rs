//! One undoing on its way through the stages: which call it is about, what is kept of that, and whether the world has
//! moved on. Not the ways in, which are `undo`'s, and not the putting back, which is `put_back`'s.

use std::sync::{Arc, Mutex};

use super::answer::Answer;
use super::contract::Checked;
use super::governed::Governed;
use super::message;
use super::paths::{PinnedPath, pin_paths};
use super::policy::Permit;
use super::put_back::{Planned, Undoing, pointer};
use super::recall::unavailable;
use super::stops::stops_if_lost;
use super::trail::Trail;
use super::{GateInner, Request};
use crate::call::{Code, Stage};
use crate::ledger::{CallEvent, CallState, KeyParts, KeyState, idempotency_key};
use crate::resource::Handle;
use crate::session::TaskInfo;
use crate::spec::{Prepared, RegisteredTool, Repeat, Risk, UndoneTool};
use crate::store::{CallRecord, Claim};
use crate::tool::{Effect, Invocation, Met};
use crate::undo::Facts;

/// What the scope of an undoing begins with.
pub(super) const UNDO: &str = "undo:";

pub(super) fn refused(rule: &str, text: &str, call_id: &str) -> Answer {
    Answer::refuse(Code::PreconditionFailed, Stage::Precondition, rule, text).detail("call", call_id)
}

impl GateInner {
    /// In place of parse and contract: the call that is undone was accepted before, and what is kept of it is what
    /// counts.
    pub(super) async fn check_undo(&self, trail: &mut Trail, of: &str) -> Result<Checked, Answer> {
        let undoing = Arc::new(self.load_undoing(of).await?);
        trail.record.arguments = undoing.of.arguments.clone();
        trail.record.risk.clone_from(&undoing.of.risk);
        let tool = self.undo_tool(&undoing)?;
        trail.record.contract = Some(tool.digest.clone());
        trail.record.stops_if_lost = stops_if_lost(tool.spec);
        let digest = self.key.digest("toolgate.undo.v1", &[of.as_bytes()]);
        trail.record.digest = Some(digest.clone());
        let (run, keep) = (Arc::clone(&undoing), Arc::clone(&self.keep));
        let invocation = Invocation::blocking(move |_| run.run(&keep));
        let met = Met { slots: undoing.slots(), ..Met::default() };
        let prepared = Prepared { invocation: Mutex::new(Some(invocation)), met };
        trail.step(CallEvent::Validate);
        Ok(Checked {
            tool,
            canonical: undoing.facts.arguments.clone(),
            without_reason: None,
            digest,
            named: Some(of.to_owned()),
            prepared,
            undoes: Some(undoing),
        })
    }

    /// The call and what is kept of it, where it can be undone as far as that alone says.
    pub(super) async fn load_undoing(&self, of: &str) -> Result<Undoing, Answer> {
        let story = self.store.call(of).await.map_err(|error| unavailable(&error))?;
        let Some(record) = story.map(|story| story.record) else {
            return Err(no_such_call(of));
        };
        can_be_undone(&record)?;
        let not_possible = |why: &str| refused("undo.not_possible", message::UNDO_NOT_POSSIBLE, of).operator(why);
        if let Some(why) = record.undo.as_ref().and_then(|undo| undo.not_possible.as_deref()) {
            return Err(not_possible(why));
        }
        let not_kept = || refused("undo.not_kept", message::UNDO_NOT_KEPT, of);
        let kept = self.keep.call(of).map_err(|error| not_kept().operator(error.to_string()))?;
        let Some(kept) = kept else {
            return Err(not_kept());
        };
        let steps = u32::try_from(kept.steps.len()).unwrap_or(u32::MAX);
        if record.undo.as_ref().is_some_and(|undo| undo.steps > steps) {
            return Err(not_kept().operator(format!("{steps} steps of the call are kept, and there were more")));
        }
        let undoing = Undoing::of(record, kept);
        for copy in undoing.copies() {
            match self.keep.has(copy) {
                Ok(true) => {}
                Ok(false) => return Err(not_kept()),
                Err(error) => return Err(not_kept().operator(error.to_string())),
            }
        }
        let lost = undoing.lost().map(str::to_owned);
        match lost {
            Some(why) => Err(not_possible(&why)),
            None => Ok(undoing),
        }
    }

    /// The tool that undoes calls of that one, made once for each.
    fn undo_tool(&self, undoing: &Undoing) -> Result<Arc<RegisteredTool>, Answer> {
        let mut made = self.undo_tools.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let name = &undoing.of.tool;
        let known = self.tools.get(name);
        if let Some(tool) = made.get(name).filter(|_| known.is_some()) {
            return Ok(Arc::clone(tool));
        }
        let Facts { permissions, asks, .. } = &undoing.facts;
        let undone = match known {
            Some(tool) => UndoneTool::of(tool),
            None => UndoneTool {
                name,
                risk: undoing.of.risk.as_deref().and_then(Risk::parse).unwrap_or(Risk::Dangerous),
                permissions: permissions.clone(),
                asks: *asks,
                timeout: std::time::Duration::ZERO,
            },
        };
        let tool = undone.undoing().map_err(|fault| {
            refused("undo.not_possible", message::UNDO_NOT_POSSIBLE, &undoing.of.call_id).operator(fault.to_string())
        })?;
        let tool = Arc::new(tool);
        made.insert(name.clone(), Arc::clone(&tool));
        Ok(tool)
    }

    /// The one key that all undoings of a call share, whoever makes them.
    pub(super) fn undo_claim_of(&self, record: &CallRecord) -> Claim {
        let CallRecord { call_id, principal, tool, .. } = record;
        let scope = format!("{UNDO}{call_id}");
        let parts = KeyParts { tenant: &self.tenant, principal, tool, scope: &scope, subject: call_id };
        let fingerprint = self.key.digest("toolgate.undo.fingerprint.v1", &[call_id.as_bytes()]);
        Claim { key: idempotency_key(&parts), fingerprint, repeat: Repeat::Once, stale: None }
    }

    /// What an undoing in this task would put back where.
    pub(super) async fn plan_undo(&self, task: &TaskInfo, of: &str) -> Result<Vec<Planned>, Answer> {
        let undoing = self.load_undoing(of).await?;
        let claim = self.undo_claim_of(&undoing.of);
        let recalled =
            self.store.recall(&[claim.key], &task.session.bound).await.map_err(|error| unavailable(&error))?;
        if let Some(key) = recalled.keys.iter().flatten().find(|key| key.state == KeyState::Succeeded) {
            return Err(undone_before(&undoing, &key.call_id));
        }
        let policy = self.policy();
        let governed = Governed::of(&*policy, task, &undoing.of.tool);
        let paths = pin_paths(task, governed.may(), &undoing.slots(), true)?;
        self.look_at_world(task, &undoing, &paths.pinned)?;
        Ok(undoing.planned().to_vec())
    }

    /// Whether everything still is as the call left it; what will be put back where is noted for who is asked.
    pub(super) fn check_world(&self, task: &TaskInfo, checked: &Checked, permit: &Permit) -> Result<(), Answer> {
        checked.undoes.as_ref().map_or(Ok(()), |undoing| self.look_at_world(task, undoing, &permit.paths))
    }

    fn look_at_world(&self, task: &TaskInfo, undoing: &Undoing, paths: &[PinnedPath]) -> Result<(), Answer> {
        let call = undoing.of.call_id.as_str();
        let workspace = task.session.workspace.as_ref();
        if workspace.is_none_or(|workspace| workspace.id() != undoing.facts.workspace) {
            return Err(refused("undo.other_workspace", message::UNDO_ELSEWHERE, call));
        }
        let open = |path: &PinnedPath| workspace?.open_path(&path.text, Some(&path.pin)).ok();
        let opened: Vec<(&str, Option<Handle>)> =
            paths.iter().map(|path| (path.pointer.as_str(), open(path))).collect();
        let handle = |index: usize| {
            let pointer = pointer(index);
            opened.iter().find(|(at, _)| *at == pointer).and_then(|(_, handle)| handle.as_ref())
        };
        match undoing.plan(handle, &self.keep) {
            Ok(planned) if planned.is_empty() => Err(refused("undo.nothing", message::UNDO_BACK_ALREADY, call)),
            Ok(planned) => {
                // Looked at again after a person's yes, it is the same or was refused.
                let _ = undoing.planned.set(planned);
                Ok(())
            }
            Err(moved) => {
                let places: Vec<&str> = moved.iter().map(String::as_str).collect();
                let later = self.keep.later(call, undoing.last_ms, &undoing.facts.workspace, &places);
                let answer = refused("undo.moved_on", message::UNDO_MOVED_ON, call).detail("moved", places);
                Err(match later {
                    Some(later) => answer.detail("changed_by", later),
                    None => answer,
                })
            }
        }
    }
}

pub(super) fn no_such_call(of: &str) -> Answer {
    refused("undo.no_such_call", message::UNDO_NO_CALL, of)
}

/// What the record of a call says about undoing it.
fn can_be_undone(record: &CallRecord) -> Result<(), Answer> {
    let call = record.call_id.as_str();
    let effect = Effect::parse(&record.effect).unwrap_or(Effect::Unknown);
    if let Some(first) = &record.replay_of {
        return Err(refused("undo.nothing", message::UNDO_REPLAY, call).detail("first_call", first.as_str()));
    }
    match CallState::parse(&record.state) {
        Some(CallState::Running) => Err(in_doubt(call)),
        // A person's word about it leaves the state, and says the effect.
        Some(CallState::Unknown | CallState::TimedOut) if effect == Effect::Unknown => Err(in_doubt(call)),
        Some(CallState::Unknown | CallState::TimedOut | CallState::Succeeded | CallState::Failed)
            if effect != Effect::None =>
        {
            Ok(())
        }
        _ => Err(refused("undo.nothing", message::UNDO_NOTHING, call)),
    }
}

fn in_doubt(call: &str) -> Answer {
    refused("undo.in_doubt", message::UNDO_IN_DOUBT, call)
}

/// The call was undone before, by that one.
pub(super) fn undone_before(undoing: &Undoing, by: &str) -> Answer {
    refused("undo.already", message::UNDO_ALREADY, &undoing.of.call_id).detail("undone_by", by)
}

impl Request {
    /// The undoing of a call.
    pub(super) fn undo(of: &CallRecord) -> Self {
        let call = crate::call::ToolCall::without_arguments(&of.tool);
        let undoes = Some(of.call_id.clone());
        Self { undoes, scope: Some(format!("{UNDO}{}", of.call_id)), ..Self::of(call) }
    }
}
