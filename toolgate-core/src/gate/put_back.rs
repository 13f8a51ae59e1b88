//! What undoing one call takes: the names that it changed, what becomes of each given what stands there now, and the
//! putting back. Not the stages, whose part in it is in `undoing`.

use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};

use crate::resource::{Handle, PathKind, Slot, Was};
use crate::store::CallRecord;
use crate::tool::{Output, PathSlot, ToolError};
use crate::undo::{Change, Facts, Keep, KeptCall, State, walk_back};

/// What undoing a call takes.
#[derive(Debug)]
pub(super) struct Undoing {
    /// The call that is undone.
    pub(super) of: CallRecord,
    pub(super) facts: Facts,
    /// The places that it changed, in the order of the first change of each.
    places: Vec<Place>,
    /// When it changed something last.
    pub(super) last_ms: i64,
    /// What is put back where, once that was looked at.
    pub(super) planned: OnceLock<Vec<Planned>>,
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

impl Undoing {
    pub(super) fn of(record: CallRecord, kept: KeptCall) -> Self {
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
    pub(super) fn slots(&self) -> Vec<PathSlot> {
        let slot = |(index, place): (usize, &Place)| PathSlot {
            pointer: pointer(index),
            kind: place.kind(),
            text: place.path.clone(),
            slot: Arc::clone(&place.slot),
        };
        self.places.iter().enumerate().map(slot).collect()
    }

    /// Why it can't be put back, where it can't.
    pub(super) fn lost(&self) -> Option<&str> {
        let changes = self.places.iter().flat_map(|place| &place.changes);
        changes.flat_map(|change| [&change.before, &change.after]).find_map(|state| match state {
            State::Lost { why } => Some(why.as_str()),
            _ => None,
        })
    }

    /// What kept copies it needs.
    pub(super) fn copies(&self) -> impl Iterator<Item = &str> {
        let changes = self.places.iter().flat_map(|place| &place.changes);
        changes.filter_map(|change| match &change.before {
            State::File { digest, .. } => Some(digest.as_str()),
            _ => None,
        })
    }

    /// What is put back where, given what stands there now; or the paths that hold something else by now.
    pub(super) fn plan<'h>(
        &self,
        handle: impl Fn(usize) -> Option<&'h Handle>,
        keep: &Keep,
    ) -> Result<Vec<Planned>, Vec<String>> {
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
    pub(super) fn run(&self, keep: &Keep) -> Result<Output, ToolError> {
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

pub(super) fn pointer(index: usize) -> String {
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
