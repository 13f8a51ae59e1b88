//! Where the values of a call come from, for its policy, its record and its approver; and what its answer adds to
//! what the task was told. Not the memory itself, which is [`crate::taint`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::GateInner;
use super::answer::Answer;
use super::claim::Entry;
use super::contract::Checked;
use super::policy::Permit;
use super::shadow::Shadow;
use super::trail::Trail;
use crate::approval::show_said;
use crate::call::Stage;
use crate::policy::{Decision, Verdict};
use crate::resource::{PathKind, Workspace};
use crate::session::TaskInfo;
use crate::spec::{Builtin, RegisteredTool, Trust};
use crate::store::{CallRecord, FILE_MARK, OutcomeRecord};
use crate::taint::{Origin, Provenance, ResultOf, Taint};

/// Origins by the JSON pointer of their argument.
pub(super) type Origins = BTreeMap<String, Origin>;

/// Marks of files, as they are kept.
type Marks = Vec<OutcomeRecord>;

impl GateInner {
    /// Whether anybody asks where values come from; else no text is remembered.
    pub(super) fn traces(&self) -> bool {
        self.has_destinations
            || self.policy().reads_provenance()
            || self.shadow.as_ref().is_some_and(Shadow::reads_provenance)
    }

    /// Where the destinations of a call come from, and what the policy asked about. From here on its arguments are
    /// part of what the task was told: the tool may repeat them.
    pub(super) fn note_origins(
        &self,
        trail: &mut Trail,
        task: &TaskInfo,
        checked: &Checked,
        asked: BTreeMap<String, Origin>,
    ) -> Origins {
        let mut origins: Origins = asked.into_iter().map(|(name, origin)| (format!("/{name}"), origin)).collect();
        if !self.traces() {
            return origins;
        }
        let arguments = checked.value();
        for destination in &checked.tool.destinations {
            // Of a list, the least trusted of its items.
            let pointer = destination.split("/*").next().unwrap_or_default();
            if let Some(value) = arguments.pointer(pointer).filter(|value| !value.is_null()) {
                let origin = task.taint.origin_in(checked.tool.spec.name, named(pointer), value);
                origins.insert(pointer.to_owned(), origin);
            }
        }
        task.taint.called_with(&result_of(&trail.record), &arguments);
        trail.record.provenance = origins.clone();
        origins
    }

    /// A person has said yes to this call, and has read where its values come from: from here on they are approved, each
    /// for its argument of this tool.
    pub(super) fn approved(task: &TaskInfo, checked: &Checked, origins: &Origins) {
        if origins.is_empty() {
            return;
        }
        let arguments = checked.value();
        for pointer in origins.iter().filter(|(_, origin)| origin.provenance != Provenance::User).map(|(at, _)| at) {
            if let Some(value) = arguments.pointer(pointer) {
                task.taint.approve(checked.tool.spec.name, named(pointer), value);
            }
        }
    }

    /// Whether strangers wrote what a call gives: its tool says so, or it stands in what it was made from.
    pub(super) async fn note_untrusted(&self, trail: &mut Trail, task: &TaskInfo, entry: &Entry) {
        let tool = &entry.checked.tool;
        let untrusted = is_untrusted(tool) || trail.strangers() || self.reads_marked(task, entry).await;
        trail.record.untrusted |= untrusted || self.reads_untrusted(&entry.checked).await;
    }

    /// Of a built-in tool: whether what it gives is another call's, and untrusted. One that can't be looked up is.
    async fn reads_untrusted(&self, checked: &Checked) -> bool {
        let Some(builtin) = checked.tool.builtin else { return false };
        let arguments = checked.value();
        let handle = arguments.get("handle").and_then(Value::as_str).unwrap_or_default();
        match self.answering(handle).await {
            // Of a call that runs, it has at most the words of its tool.
            Ok(Some(call)) if builtin != Builtin::ReadResult && call.finished_ms.is_none() => {
                self.was_untrusted(&call) && self.background.has_said(&call.call_id)
            }
            Ok(Some(call)) => self.was_untrusted(&call),
            Ok(None) => false,
            Err(_) => true,
        }
    }

    /// Whether the result of that call counts as untrusted.
    pub(super) fn was_untrusted(&self, record: &CallRecord) -> bool {
        record.untrusted || self.tools.get(&record.tool).is_some_and(|tool| is_untrusted(tool))
    }

    /// Whether a file that the call reads, or one in a folder that it gets, was written with what strangers wrote. One
    /// that can't be looked up was.
    async fn reads_marked(&self, task: &TaskInfo, entry: &Entry) -> bool {
        let Some(workspace) = &task.session.workspace else { return false };
        for path in &entry.permit.paths {
            // Which files of a folder a tool reads isn't known.
            let place = path.pin.resolved.as_str();
            let place = if path.text.kind() == PathKind::Dir { &beneath(place) } else { place };
            let found = self.store.outcomes(&owner_of(workspace), place, FILE_MARK, 1).await;
            if found.is_ok_and(|found| found.is_empty()) {
                continue;
            }
            // What a tool only writes is none of what it gives.
            if path.text.kind() != PathKind::Write {
                return true;
            }
        }
        false
    }

    /// Marks of the files that a call may write from here on, where strangers may have a part in it.
    pub(super) fn marks_before(
        &self,
        record: &CallRecord,
        task: &TaskInfo,
        checked: &Checked,
        permit: &Permit,
    ) -> Marks {
        let told = task.taint.is_tainted() || is_untrusted(&checked.tool);
        if told { self.marks(record, task, permit) } else { Vec::new() }
    }

    /// Marks of the files that a call may have written, where strangers had a part in it after all.
    pub(super) fn marks_after(&self, trail: &Trail, task: &TaskInfo, permit: &Permit) -> Marks {
        let told = trail.record.untrusted || trail.strangers();
        if told { self.marks(&trail.record, task, permit) } else { Vec::new() }
    }

    fn marks(&self, record: &CallRecord, task: &TaskInfo, permit: &Permit) -> Marks {
        let Some(workspace) = &task.session.workspace else { return Vec::new() };
        let written = permit.paths.iter().filter(|path| matches!(path.text.kind(), PathKind::Write | PathKind::Entry));
        let mark = |place: &str| OutcomeRecord {
            session: owner_of(workspace),
            task: place.to_owned(),
            tool: FILE_MARK.to_owned(),
            call_id: record.call_id.clone(),
            at_ms: self.clock.now_ms(),
            ok: true,
            facts: Vec::new(),
        };
        let mut folders = BTreeSet::new();
        let mut marks: Marks = Vec::new();
        for path in written {
            let place = path.pin.resolved.as_str();
            marks.push(mark(place));
            // What is made in it may be a folder, that others read.
            folders.extend(if path.text.kind() == PathKind::Entry { Some(place) } else { None });
            folders.extend(folders_above(place));
        }
        marks.extend(folders.into_iter().map(|folder| mark(&beneath(folder))));
        marks
    }

    /// What the model hears is part of what the task was told.
    pub(super) fn heard(&self, trail: &Trail, answer: &Answer) {
        let (record, taint) = (&trail.record, &trail.taint);
        if record.untrusted && answer.given.is_some() {
            trail.tell_outer();
        }
        self.heard_of(taint, &result_of(record), record.untrusted, answer);
    }

    /// As [`Self::heard`], of a recorded answer that is given without a call of its own.
    pub(super) fn heard_again(&self, task: &TaskInfo, record: &CallRecord, answer: &Answer) {
        self.heard_of(&task.taint, &result_of(record), self.was_untrusted(record), answer);
    }

    fn heard_of(&self, taint: &Taint, from: &ResultOf, untrusted: bool, answer: &Answer) {
        let said = Value::from(answer.message.as_str());
        let (value, content) = match &answer.given {
            Some(given) => (&given.0, given.1.as_slice()),
            // How an untrusted tool failed is its own words.
            None if untrusted && answer.stage == Stage::Execute => (&said, &[][..]),
            None => return,
        };
        if self.traces() {
            taint.gave(from, untrusted, value, content);
        } else {
            taint.gave_unseen(from, untrusted);
        }
    }
}

fn is_untrusted(tool: &RegisteredTool) -> bool {
    tool.spec.output == Trust::Untrusted
}

fn result_of(record: &CallRecord) -> ResultOf {
    ResultOf { call_id: record.call_id.clone(), tool: record.tool.clone() }
}

/// The place under which it is kept that such a file is in a folder, however deep. No place of a file ends so.
fn beneath(folder: &str) -> String {
    format!("{folder}/")
}

/// The folders that a place of the workspace is in, to its root.
fn folders_above(place: &str) -> impl Iterator<Item = &str> {
    let above = place.match_indices('/').filter_map(|(end, _)| place.get(..end)).filter(|folder| !folder.is_empty());
    above.chain(std::iter::once("."))
}

/// An argument as conditions name it.
fn named(pointer: &str) -> &str {
    pointer.trim_start_matches('/')
}

/// Whose marks of files are kept together: the workspace's, whatever session writes.
fn owner_of(workspace: &Workspace) -> String {
    format!("files:{}", workspace.id())
}

/// The decision with what is to be said of its arguments, where it lets nothing pass by itself.
pub(super) fn with_origins(decision: Decision, origins: &Origins) -> Decision {
    match said(origins).filter(|_| decision.verdict != Verdict::Allow) {
        Some(said) => Decision { reason: format!("{}; {said}", decision.reason), ..decision },
        None => decision,
    }
}

/// A refusal whose operator reads the same.
pub(super) fn told_origins(answer: Answer, origins: &Origins) -> Answer {
    match (said(origins), &answer.operator) {
        (Some(said), Some(operator)) => {
            let operator = format!("{operator}; {said}");
            answer.operator(operator)
        }
        _ => answer,
    }
}

fn said(origins: &Origins) -> Option<String> {
    let said: Vec<String> = lines(origins).collect();
    (!said.is_empty()).then(|| said.join("; "))
}

/// What is said of each argument that the user didn't say.
fn lines(origins: &Origins) -> impl Iterator<Item = String> + '_ {
    let told = origins.iter().filter(|(_, origin)| origin.provenance != Provenance::User);
    told.map(|(pointer, origin)| format!("{}: {origin}", pointer.trim_start_matches('/')))
}

/// What an approver reads of an argument: where it comes from.
pub(super) fn shown_origin(origins: &Origins, name: &str) -> Option<String> {
    let (pointer, origin) = origins.iter().find(|(pointer, _)| pointer.strip_prefix('/') == Some(name))?;
    Some(show_said(&format!("{}: {origin}", pointer.trim_start_matches('/'))))
}

/// Whether anything in a run was read from strangers; shared by all runs of a call.
pub(super) type Strangers = Arc<std::sync::atomic::AtomicBool>;
