//! The URLs of a call, as part of stage 3: each is read once and held against the hosts that the task may reach, and all
//! that is wrong with them is told at once. Names are looked up when they are used, and not here.

use serde_json::json;

use super::answer::Answer;
use crate::call::{Code, Stage};
use crate::contract::shown_pointer;
use crate::resource::NetError;
use crate::session::Capabilities;
use crate::tool::UrlSlot;

/// Pointer and one spelling of each URL; or all that is wrong with them.
pub(super) fn check_urls(may: &Capabilities, slots: &[UrlSlot]) -> Result<Vec<(String, String)>, Answer> {
    if slots.is_empty() {
        return Ok(Vec::new());
    }
    let hosts = may.reachable();
    let mut problems = Vec::new();
    let mut urls = Vec::new();
    for slot in slots {
        match hosts.read(&slot.text) {
            Ok(url) => urls.push((slot.pointer.clone(), url.as_str().to_owned())),
            Err(error) => problems.push((shown_pointer(&slot.pointer), error)),
        }
    }
    if problems.is_empty() { Ok(urls) } else { Err(urls_answer(&problems)) }
}

fn urls_answer(problems: &[(String, NetError)]) -> Answer {
    let lines: Vec<String> =
        problems.iter().map(|(pointer, error)| format!("{pointer}: {}", error.for_model())).collect();
    let text = match lines.as_slice() {
        [only] => only.clone(),
        lines => format!("{} URLs can't be used:\n- {}", lines.len(), lines.join("\n- ")),
    };
    let rule = problems.first().map_or("net.host_not_allowed", |(_, error)| error.code());
    let details: Vec<_> = problems
        .iter()
        .map(|(pointer, error)| json!({"pointer": pointer, "rule": error.code(), "expected": error.for_model()}))
        .collect();
    let operator: Vec<String> = problems.iter().map(|(_, error)| error.to_string()).collect();
    Answer::refuse(Code::HostNotAllowed, Stage::Policy, rule, text)
        .detail("problems", details)
        .operator(operator.join("; "))
}
