//! The closed set of sentences that a model reads. What is filled in comes from declarations, never
//! from arguments, results or foreign errors.

use super::answer::Answer;
use super::background::{CANCEL_CALL, READ_CALL};
use super::reader::READER;
use crate::call::{Code, Stage};
use crate::clip::Clipped;
use crate::contract::Problem;
use crate::tool::Effect;

pub(super) const STOPPED: &str = "effectful calls are stopped here until a person resumes the task; don't try another \
     way to the same effect, tell the user";
pub(super) const CLOSED: &str = "this tool is closed in this task; don't try another way to the same effect";
pub(super) const CLOSED_BEFORE: &str = "this tool failed before in this task and is closed here until a person resumes the \
     task; other tools can be called, but don't try another way to the same effect, tell the user";
pub(super) const DUPLICATE: &str =
    "the same operation is running right now; wait for its result instead of calling again";
pub(super) const CONFLICT: &str = "this operation was called before with other arguments, or before the tool was \
     changed; nothing was done. The same arguments give its recorded result; if others are meant, tell the user";
pub(super) const UNKNOWN: &str = "it is not known what an earlier run of this operation did: it may or may not have \
     happened. It won't run again; a person must say what became of it";
pub(super) const SETTLING: &str = "it is not known yet what an earlier run of this operation did; nothing was done now. The same call can be \
     made again: `retry_after_ms` in details says when";
pub(super) const UNVERIFIED: &str = "this operation was done before, but whether that still holds can't be found out now; nothing was done. \
     Don't try another way to the same effect, tell the user";
pub(super) const DETACHED: &str = "nobody waited for the tool any more, and it goes on";
pub(super) const GIVEN_UP: &str = "nobody waited for this call any more, so it was given up; nothing was done";
pub(super) const CANCELLED_TASK: &str = "this task was cancelled; nothing was done";
pub(super) const EXPIRED_KEY: &str =
    "this operation was done long ago and its result is no longer kept; it won't run again";
pub(super) const NOT_CONFIRMED: &str =
    "a person must approve this call; nothing was done. You will be called again when the ticket is decided";
pub(crate) const DENIED: &str =
    "a person denied this call; nothing was done. Don't ask for the same again, tell the user";
pub(super) const USED_UP: &str =
    "the approval was used by another call; nothing was done. Ask for the outcome with the same call";
pub(crate) const TICKET_EXPIRED: &str =
    "the ticket ended before it was approved and used; nothing was done. The same call can be made again";
pub(super) const MORE_PEOPLE: &str =
    "policy asks for the yes of more people by now; nothing was done. The same call asks for a new approval";
pub(super) const CHANGED: &str = "a file or folder of this call has changed since it was approved; nothing was done. \
     Look again; the same call asks for a new approval";
pub(super) const AUDIT_BEFORE: &str = "the record of this call can't be written, so nothing was done";
pub(super) const AUDIT_AFTER: &str =
    "the tool ran, but its result can't be recorded; effectful calls are stopped until a person acts";
pub(super) const SEALED: &str = "an earlier result can't be recorded, so effectful calls are stopped until a person acts; \
     nothing was done";
pub(super) const CONTESTED: &str =
    "the tool ran, but another run has taken its place in the record; a person must look at it";
pub(super) const BROKE_OFF: &str = "the gate broke off before anything was done";
pub(super) const BROKEN: &str = "the gate broke off";
pub(super) const DRAINING: &str = "the gate is shutting down; nothing was done";
pub(super) const LIMIT: &str = "the number of calls that this session or task may make is used up; nothing was done";
pub(super) const TOO_FAST: &str =
    "calls come too fast; nothing was done. Try again later: `retry_after_ms` in details says when";
pub(super) const TOO_MANY_BYTES: &str = "the bytes that may be sent and received here are used up; nothing was done";
pub(super) const TOO_MUCH_TIME: &str = "the time that tools may run here is used up; nothing was done";
pub(super) const NOT_COUNTED: &str = "this call can't be counted, so nothing was done";
pub(super) const AUDIT_READ: &str = "the record of this call can't be written, so its result is withheld";
pub(super) const BUSY: &str = "too many calls run at once; nothing was done. Try again later";
pub(super) const PANICKED: &str = "the tool broke off";
pub(super) const FAILED: &str = "the tool failed";
pub(super) const RECORDED: &str = "done before: this is the recorded result of the same operation";
pub(super) const UNREADABLE: &str =
    "this operation has an answer, but it can't be opened; it was not run again, a person must look at it";
pub(super) const NOT_KEPT: &str = "done before, and the result of it is not kept";
pub(super) const LEFT_OUT: &str = "not all parts of the result can be given: `left_out` in details says which, and why";
pub(super) const UNDO_NO_CALL: &str = "there is no such call in this task; nothing was undone";
pub(super) const UNDO_NOTHING: &str = "this call changed nothing, so there is nothing to undo";
pub(super) const UNDO_REPLAY: &str =
    "this call only gave the recorded result of an earlier one; `first_call` in details names the one to undo";
pub(super) const UNDO_BACK_ALREADY: &str = "everything already is as it was before this call; nothing was changed";
pub(super) const UNDO_IN_DOUBT: &str = "it is not known what this call did, or it still runs; nothing was undone. A person must say what became of it first";
pub(super) const UNDO_NOT_KEPT: &str = "what this call replaced was not kept, or is no longer; nothing was undone. A person must put it back by other means";
pub(super) const UNDO_NOT_POSSIBLE: &str =
    "a part of what this call changed can't be put back, so nothing was undone. A person must do it by other means";
pub(super) const UNDO_ALREADY: &str =
    "this call was undone before, by the call that `undone_by` in details names; nothing was changed";
pub(super) const UNDO_MOVED_ON: &str = "the world has moved on: `moved` in details names the files that are no longer what \
     this call left, `changed_by` the last known call that changed them; nothing was undone";
pub(super) const UNDO_ELSEWHERE: &str = "this call changed another workspace than this session has; nothing was undone";
pub(super) const OVER: &str = "the call that this one is part of is over, so nothing was done";
pub(super) const UNLEASED: &str =
    "the ledger can't be told that this call runs, so nothing was done; the same call can be made again";
pub(super) const UNLEASED_RUNNING: &str = "the tool was stopped, because the ledger can't be told that it runs";
pub(super) const RESOLVED: &str = "done before, as a person found out; the result of it is not known";
pub(super) const RESOLVED_PARTIAL: &str =
    "a person found out that only a part of this operation was done; it won't run again, tell the user";
pub(super) const TOO_DEEP: &str = "tools call each other too deep; nothing was done";
pub(super) const RISKIER: &str = "a tool may not call one of higher risk than its own; nothing was done";
pub(super) const BLOCKING: &str = "an async tool calls others with `ctx.call(..).await`; nothing was done";
pub(super) const NO_CREDENTIAL: &str =
    "the tool needs a credential that is not granted here; don't try another way, tell the user";
pub(super) const CREDENTIAL_UNAVAILABLE: &str = "the tool needs a credential that can't be issued now";
pub(super) const CREDENTIAL_BLOCKING: &str = "an async tool asks with `ctx.credential(..).await`";
pub(super) const OTHER_HOLDER: &str =
    "this session belongs to another agent or user; nothing was done. The host must open one of its own";
pub(super) const BACKGROUND_FULL: &str =
    "too many calls run in the background; nothing was done. Try again when one of them has ended";
pub(super) const CANCELLED: &str = "it was cancelled while it ran";
pub(super) const CANCELLED_UNDONE: &str = "it was cancelled; nothing was changed";
pub(super) const NO_WORKSPACE: &str = "this session has no workspace, so it has no paths";

/// Two sentences as one text: each begins with a capital, and the user is to be told once.
pub(super) fn and_then(first: &str, second: &str) -> String {
    const TELL: &str = ", tell the user";
    let first = first.trim_end_matches('.');
    let first = if second.ends_with(TELL) { first.strip_suffix(TELL).unwrap_or(first) } else { first };
    let mut rest = second.chars();
    match rest.next() {
        Some(letter) => format!("{first}. {}{}", letter.to_uppercase(), rest.as_str()),
        None => first.to_owned(),
    }
}

pub(super) fn effect_unknown(text: &str) -> String {
    format!("{text}; it may or may not have happened, so don't call again, tell the user")
}

/// The answer to a call that goes on in the background.
pub(super) fn background() -> String {
    format!(
        "it runs in the background; don't call it again: `{READ_CALL}` with this handle gives its progress and its \
         result, `{CANCEL_CALL}` stops it"
    )
}

/// As [`DUPLICATE`], of one in the background.
pub(super) fn runs_in_background() -> String {
    format!(
        "the same operation is running right now; don't call it again: `{READ_CALL}` with the handle in details gives \
         its progress and its result"
    )
}

/// A call whose process ended without a record.
pub(super) fn lost(effect: Effect) -> String {
    const LOST: &str = "the process that ran it ended before it had a result";
    match effect {
        Effect::None => format!("{LOST}; nothing was changed"),
        _ => effect_unknown(LOST),
    }
}

pub(super) fn cut(clipped: &Clipped) -> String {
    let Clipped { given_chars, total_chars, next_offset, .. } = clipped;
    format!(
        "the result was cut to {given_chars} of {total_chars} characters; read on with `{READER}`: the handle in details, \
         and offset {next_offset}, before which nothing is missing"
    )
}

pub(super) fn timed_out(seconds: f64, effectful: bool) -> String {
    // An inner call has what is left of its outer one's time.
    let seconds = (seconds * 100.0).ceil() / 100.0;
    let text = format!("the tool took longer than {seconds} s");
    if effectful {
        format!(
            "{text}; it goes on, and it may or may not have its effect. Ask for its outcome with the same call later"
        )
    } else {
        format!("{text}; nothing was changed")
    }
}

/// Most problems that are told, and most bytes of them.
const TOLD: usize = 20;
const TOLD_BYTES: usize = 5_000;

pub(super) fn invalid(stage: Stage, problems: &[Problem]) -> Answer {
    let mut room = TOLD_BYTES;
    let mut lines: Vec<String> = Vec::new();
    for line in problems.iter().take(TOLD).map(Problem::for_model) {
        let Some(rest) = room.checked_sub(line.len()).or_else(|| lines.is_empty().then_some(0)) else { break };
        room = rest;
        lines.push(line);
    }
    let told = lines.len();
    if told < problems.len() {
        lines.push(format!("and {} more", problems.len() - told));
    }
    let rule = problems.first().map_or("schema.invalid", |problem| problem.rule);
    let message = match lines.as_slice() {
        [only] => format!("the arguments are not what the tool takes: {only}"),
        lines => {
            format!("the arguments are not what the tool takes, {} problems:\n- {}", problems.len(), lines.join("\n- "))
        }
    };
    let details = problems
        .iter()
        .take(told)
        .map(|problem| {
            let mut entry = serde_json::json!({
                "pointer": problem.pointer,
                "rule": problem.rule,
                "expected": problem.expected,
            });
            if let (Some(nearest), Some(entry)) = (&problem.nearest, entry.as_object_mut()) {
                entry.insert("nearest".into(), nearest.as_str().into());
            }
            entry
        })
        .collect::<Vec<_>>();
    Answer::refuse(Code::InvalidArgument, stage, rule, message).retryable().detail("problems", details)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_sentences_are_joined_as_one_text() {
        let text = and_then(&effect_unknown(PANICKED), STOPPED);
        assert_eq!(text.matches("tell the user").count(), 1, "{text}");
        assert!(text.contains("don't call again. Effectful calls are stopped"), "{text}");
        assert_eq!(and_then("it said no.", CLOSED).find("no. This tool is"), Some(8));
    }
}
