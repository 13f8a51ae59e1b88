//! One undoing on its way through the stages: which call it is about, what is kept of that, what stands there now,
//! what a person is shown, and the run. Not the ways in, which are `undo`'s.

use std::sync::{Arc, Mutex, OnceLock};

use serde_json::{Value, json};

use super::answer::Answer;
use super::contract::Checked;
use super::governed::Governed;
use super::message;
use super::paths::{PinnedPath, pin_paths};
use super::policy::Permit;
use super::recall::unavailable;
use super::stops::stops_if_lost;
use super::trail::Trail;
use super::{GateInner, Request};
use crate::call::{Code, Stage};
use crate::ledger::{CallEvent, CallState, KeyParts, KeyState, idempotency_key};
use crate::resource::{Handle, PathKind, Slot, Was};
use crate::session::TaskInfo;
use crate::spec::{Prepared, RegisteredTool, Repeat, Risk, UndoneTool};
use crate::store::{CallRecord, Claim};
use crate::tool::{Effect, Invocation, Met, Output, PathSlot, ToolError};
use crate::undo::{Change, Facts, Keep, KeptCall, State, walk_back};

/// What the scope of an undoing begins with.
pub(super) const UNDO: &str = "undo:";

/// What undoing a call takes.
#[derive(Debug)]
pub(super) struct Undoing {
    /// The call that is undone.
    pub(super) of: CallRecord,
    pub(super) facts: Facts,
    /// The places that it changed, in the order of the first change of each.
    places: Vec<Place>,
    /// When it changed something last.
    last_ms: i64,
    /// What is put back where, once that was looked at.
    planned: OnceLock<Vec<Planned>>,
}

/// One name that the call changed.
#[derive(Debug)]
struct Place {
    path: String,
    changes: Vec<Change>,
    slot: Slot,
}

/// What becomes of one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Planned {
    pub(super) path: String,
    pub(super) now: State,
    pub(super) then: State,
}

impl Planned {
    /// The change as one word.
    pub(super) fn word(&self) -> &'static str {
        match (&self.now, &self.then) {
            (_, State::Absent) => "removed",
            (State::Absent, _) => "brought back",
            _ => "put back",
        }
    }
}

pub(super) fn refused(rule: &str, text: &str, call_id: &str) -> Answer {
    Answer::refuse(Code::PreconditionFailed, Stage::Precondition, rule, text).detail("call", call_id)
}

impl Undoing {
    fn of(record: CallRecord, kept: KeptCall) -> Self {
        let last_ms = kept.steps.iter().map(|step| step.at_ms).max().unwrap_or(record.received_ms);
        let mut places: Vec<Place> = Vec::new();
        for change in kept.steps.into_iter().map(|step| step.change) {
            if let Some(place) = places.iter_mut().find(|place| place.path == change.place) {
                place.changes.push(change);
            } else {
                let path = change.place.clone();
                places.push(Place { path, changes: vec![change], slot: Slot::default() });
            }
        }
        Self { of: record, facts: kept.facts, places, last_ms, planned: OnceLock::new() }
    }

    /// The paths for policy and for opening, each as what is done there.
    fn slots(&self) -> Vec<PathSlot> {
        let slot = |(index, place): (usize, &Place)| PathSlot {
            pointer: pointer(index),
            kind: place.kind(),
            text: place.path.clone(),
            slot: Arc::clone(&place.slot),
        };
        self.places.iter().enumerate().map(slot).collect()
    }

    /// Why it can't be put back, where it can't.
    fn lost(&self) -> Option<&str> {
        let changes = self.places.iter().flat_map(|place| &place.changes);
        changes.flat_map(|change| [&change.before, &change.after]).find_map(|state| match state {
            State::Lost { why } => Some(why.as_str()),
            _ => None,
        })
    }

    /// What kept copies it needs.
    fn copies(&self) -> impl Iterator<Item = &str> {
        let changes = self.places.iter().flat_map(|place| &place.changes);
        changes.filter_map(|change| match &change.before {
            State::File { digest, .. } => Some(digest.as_str()),
            _ => None,
        })
    }

    /// What is put back where, given what stands there now; or the paths that hold something else by now.
    fn plan<'h>(&self, handle: impl Fn(usize) -> Option<&'h Handle>, keep: &Keep) -> Result<Vec<Planned>, Vec<String>> {
        let mut planned = Vec::new();
        let mut moved = Vec::new();
        for (index, place) in self.places.iter().enumerate() {
            let now = handle(index).and_then(|handle| handle.now(place.limit(keep)).ok());
            let now = now.map_or(State::Lost { why: String::new() }, |was| keep.state_of(&was));
            let changes: Vec<&Change> = place.changes.iter().collect();
            match walk_back(&changes, &now) {
                Ok(then) if *then == now => {}
                Ok(then) => {
                    let then = then.clone();
                    planned.push(Planned { path: place.path.clone(), now, then });
                }
                Err(_) => moved.push(place.path.clone()),
            }
        }
        if moved.is_empty() { Ok(planned) } else { Err(moved) }
    }

    pub(super) fn planned(&self) -> &[Planned] {
        self.planned.get().map(Vec::as_slice).unwrap_or_default()
    }

    /// Puts everything back: all is looked at before the first change.
    fn run(&self, keep: &Keep) -> Result<Output, ToolError> {
        let mut planned = self.plan(|index| self.places.get(index)?.slot.get(), keep).map_err(|_| {
            ToolError::no_effect("a file is no longer what the call left; nothing was undone")
                .with_rule("undo.moved_on")
        })?;
        planned.sort_by(|one, other| order(one).cmp(&order(other)));
        let mut back = Vec::new();
        for planned in &planned {
            back.push(brought_back(&planned.then, keep)?);
        }
        let mut done = Vec::new();
        for (planned, was) in planned.iter().zip(&back) {
            let place = self.places.iter().find(|place| place.path == planned.path);
            let Some(handle) = place.and_then(|place| place.slot.get()) else { continue };
            if let Err(error) = handle.put_back(was) {
                if done.is_empty() && error.is_without_effect() {
                    return Err(error.into());
                }
                let text = format!("{} of {} files were put back, then it failed", done.len(), back.len());
                return Err(ToolError::partial(text).with_rule("undo.partial").with_source(error));
            }
            done.push(json!({"path": planned.path, "was": planned.word()}));
        }
        Ok(Value::from(serde_json::Map::from_iter([
            ("undone".to_owned(), Value::from(self.of.call_id.as_str())),
            ("files".to_owned(), Value::from(done)),
        ]))
        .into())
    }
}

impl Place {
    /// A folder that the call made is an entry to be removed; all else is a name to be written.
    fn kind(&self) -> PathKind {
        let first = self.changes.first().map(|change| &change.before);
        let last = self.changes.last().map(|change| &change.after);
        match (first, last) {
            (Some(State::Absent), Some(State::Folder { .. })) => PathKind::Entry,
            _ => PathKind::Write,
        }
    }

    /// Most bytes that are read of what stands there: what is longer is something else.
    fn limit(&self, keep: &Keep) -> u64 {
        let states = self.changes.iter().flat_map(|change| [&change.before, &change.after]);
        let sizes = states.filter_map(|state| match state {
            State::File { size, .. } => Some(*size),
            _ => None,
        });
        sizes.max().unwrap_or(0).max(keep.limit())
    }
}

fn pointer(index: usize) -> String {
    format!("/files/{index}")
}

/// Folders come before what stands in them, and go after it.
fn order(planned: &Planned) -> (u8, std::cmp::Reverse<usize>, &str) {
    let depth = planned.path.matches('/').count();
    match (&planned.then, &planned.now) {
        (State::Folder { .. }, _) => (0, std::cmp::Reverse(usize::MAX - depth), &planned.path),
        (State::Absent, State::Folder { .. }) => (3, std::cmp::Reverse(depth), &planned.path),
        (State::Absent, _) => (2, std::cmp::Reverse(0), &planned.path),
        _ => (1, std::cmp::Reverse(0), &planned.path),
    }
}

fn brought_back(state: &State, keep: &Keep) -> Result<Was<'static>, ToolError> {
    let gone = || ToolError::no_effect("a copy of what was replaced is no longer kept; nothing was undone");
    match state {
        State::Absent => Ok(Was::Absent),
        State::Folder { mode } => Ok(Was::Folder { mode: *mode }),
        State::Lost { .. } => Err(gone().with_rule("undo.not_possible")),
        State::File { digest, mode, .. } => match keep.bytes(digest) {
            Ok(Some(bytes)) => Ok(Was::File { bytes: bytes.into(), mode: *mode }),
            Ok(None) => Err(gone().with_rule("undo.not_kept")),
            Err(error) => Err(gone().with_rule("undo.not_kept").with_source(error.to_string())),
        },
    }
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
