//! The paths of a call, as part of stage 3 and again at claim: where each may lead, and all that is
//! wrong with them at once. What they lead to is looked up by the workspace.

use serde_json::json;

use super::answer::Answer;
use super::message;
use crate::call::{Code, Stage};
use crate::contract::shown_pointer;
use crate::resource::{PathError, PathKind, PathText, Pin, Workspace};
use crate::session::{Capabilities, TaskInfo};
use crate::tool::PathSlot;

#[derive(Debug, Clone)]
pub(super) struct PinnedPath {
    pub(super) pointer: String,
    pub(super) text: PathText,
    pub(super) pin: Pin,
}

/// What is wrong with one path.
#[derive(Debug)]
pub(super) struct PathProblem {
    pointer: String,
    rule: &'static str,
    expected: &'static str,
    /// Whether it may not be, rather than isn't.
    refused: bool,
    operator: Option<String>,
}

impl PathProblem {
    pub(super) fn of(pointer: &str, error: &PathError) -> Self {
        Self {
            pointer: shown_pointer(pointer),
            rule: error.code(),
            expected: error.for_model(),
            refused: error.refused(),
            operator: Some(error.to_string()),
        }
    }

    fn not_granted(slot: &PathSlot) -> Self {
        let (rule, expected) = match slot.kind {
            PathKind::Read | PathKind::Dir => ("path.not_readable", "this path may not be read in this task"),
            PathKind::Write | PathKind::Entry => ("path.not_writable", "this path may not be written in this task"),
        };
        Self { pointer: shown_pointer(&slot.pointer), rule, expected, refused: true, operator: None }
    }
}

/// The paths of a call, none of which is refused.
#[derive(Debug, Default)]
pub(super) struct Paths {
    /// Those that lead somewhere.
    pub(super) pinned: Vec<PinnedPath>,
    /// Pointer and place of all: where it leads, or else what it says.
    pub(super) places: Vec<(String, String)>,
    /// What is said of those that aren't there. Not yet: what a call has deleted is missing when the same
    /// call is made again, and then its answer is what counts.
    pub(super) missing: Option<Answer>,
}

/// All paths, resolved as they lead now; or all that is wrong with them, where one may not be. Where something is put
/// back, the folders above it may be missing.
pub(super) fn pin_paths(
    task: &TaskInfo,
    may: &Capabilities,
    slots: &[PathSlot],
    puts_back: bool,
) -> Result<Paths, Answer> {
    if slots.is_empty() {
        return Ok(Paths::default());
    }
    let Some(workspace) = &task.session.workspace else {
        return Err(Answer::refuse(
            Code::PathOutsideWorkspace,
            Stage::Policy,
            "path.no_workspace",
            message::NO_WORKSPACE,
        ));
    };
    let mut problems = Vec::new();
    let mut paths = Paths::default();
    for slot in slots {
        match pin_path(may, workspace, slot, puts_back) {
            Ok(path) => {
                paths.places.push((slot.pointer.clone(), path.pin.resolved.clone()));
                paths.pinned.push(path);
            }
            Err(problem) => {
                paths.places.push((slot.pointer.clone(), slot.text.clone()));
                problems.push(problem);
            }
        }
    }
    if problems.iter().any(|problem| problem.refused) {
        return Err(paths_answer(Stage::Policy, problems));
    }
    paths.missing = (!problems.is_empty()).then(|| paths_answer(Stage::Policy, problems));
    Ok(paths)
}

/// Rules of texts first, then folders that may be used, then where it really leads.
fn pin_path(
    may: &Capabilities,
    workspace: &Workspace,
    slot: &PathSlot,
    puts_back: bool,
) -> Result<PinnedPath, PathProblem> {
    let wrong = |error: &PathError| PathProblem::of(&slot.pointer, error);
    let text = workspace.check(slot.kind, &slot.text).map_err(|error| wrong(&error))?;
    let text = if puts_back { text.making_parents() } else { text };
    if !may_use(may, slot.kind, |prefix| text.is_beneath(prefix)) {
        return Err(text.leads_out().map_or_else(|| PathProblem::not_granted(slot), |error| wrong(&error)));
    }
    let pin = workspace.pin(&text).map_err(|error| wrong(&error))?;
    // Where links lead is what counts.
    if !may_use(may, slot.kind, |prefix| pin.is_beneath(prefix)) {
        return Err(PathProblem::not_granted(slot));
    }
    Ok(PinnedPath { pointer: slot.pointer.clone(), text, pin })
}

/// Whether capabilities allow it.
pub(super) fn may_use(capabilities: &Capabilities, kind: PathKind, beneath: impl Fn(&str) -> bool) -> bool {
    match kind {
        PathKind::Read | PathKind::Dir => capabilities.may_read(beneath),
        PathKind::Write | PathKind::Entry => capabilities.may_write(beneath),
    }
}

/// Paths that are refused, or that simply aren't there; the first that is refused decides.
pub(super) fn paths_answer(stage: Stage, mut problems: Vec<PathProblem>) -> Answer {
    problems.sort_by_key(|problem| !problem.refused);
    let lines: Vec<String> =
        problems.iter().map(|problem| format!("{}: {}", problem.pointer, problem.expected)).collect();
    let text = match lines.as_slice() {
        [only] => only.clone(),
        lines => format!("{} paths can't be used:\n- {}", lines.len(), lines.join("\n- ")),
    };
    let (rule, refused) = problems.first().map_or(("path.io", false), |first| (first.rule, first.refused));
    let answer = if refused {
        Answer::refuse(Code::PathOutsideWorkspace, stage, rule, text)
    } else {
        Answer::refuse(Code::InvalidArgument, stage, rule, text).retryable()
    };
    let details: Vec<_> = problems
        .iter()
        .map(|problem| json!({"pointer": problem.pointer, "rule": problem.rule, "expected": problem.expected}))
        .collect();
    let operator: Vec<&str> = problems.iter().filter_map(|problem| problem.operator.as_deref()).collect();
    let answer = answer.detail("problems", details);
    if operator.is_empty() { answer } else { answer.operator(operator.join("; ")) }
}
