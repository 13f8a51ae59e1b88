//! What is answered while a call runs in the background: its handle, to who made it and to who makes it again.

use serde_json::json;

use crate::call::{Code, Stage};
use crate::gate::answer::Answer;
use crate::gate::claim::Entry;
use crate::gate::trail::Trail;
use crate::gate::{GateInner, Reply, message};
use crate::tool::Effect;

/// The word for a call that runs.
const RUNNING: &str = "running";

impl GateInner {
    /// Answers a call whose run begins, where it is one in the background. Says whether it is.
    pub(in crate::gate) fn hand_over(&self, trail: &Trail, entry: &Entry, reply: &mut Option<Reply>) -> bool {
        if trail.slot.is_none() {
            return false;
        }
        let handle = trail.record.call_id.as_str();
        let effectful = entry.checked.tool.spec.risk.is_effectful();
        let answer = Answer {
            message: message::background(),
            given: Some(Box::new((json!({"handle": handle, "state": RUNNING}), Vec::new()))),
            effect: if effectful { Effect::Unknown } else { Effect::None },
            ..Answer::done()
        };
        let result = self.result(trail, answer.detail("handle", handle).detail("state", RUNNING));
        Reply::answer(reply, result);
        true
    }
}

/// The same operation runs right now; the handle, where it runs in the background.
pub(in crate::gate) fn runs_already(first: &str, in_background: bool) -> Answer {
    let refused = |text: String| {
        let answer = Answer::refuse(Code::DuplicateCall, Stage::Recall, "idem.running", text);
        answer.retryable().detail("first_call", first)
    };
    if in_background {
        return refused(message::runs_in_background()).detail("handle", first);
    }
    refused(message::DUPLICATE.to_owned())
}
