//! Stage 9, the result on its way to the model: masked before it comes here, bounded here. What is
//! stored or foreign is redacted further; a model that reads a mask would write it back.

use std::borrow::Cow;

use serde_json::Value;

use super::answer::Answer;
use super::claim::Entry;
use super::trail::Trail;
use super::{GateInner, message};
use crate::call::Stage;
use crate::clip::{clip, surely_fits};
use crate::redact::Redactor;
use crate::spec::ToolSpec;

/// Most characters of a result in the audit record.
const PREVIEW: usize = 2_000;

impl GateInner {
    /// A success with its bounded result, and the handle to the rest.
    pub(super) fn clipped(&self, spec: &ToolSpec, call_id: &str, masked: &Value) -> Answer {
        let mut answer = Answer::done();
        let limit = spec.result_limit as usize;
        if surely_fits(masked, limit) {
            answer.data = Some(masked.clone());
            return answer;
        }
        let clipped = clip(masked, limit);
        if clipped.truncated {
            answer.stage = Stage::Clip;
            answer.truncated = true;
            answer.message = message::cut(&clipped);
            answer = answer
                .detail("handle", call_id)
                .detail("total_chars", clipped.total_chars)
                .detail("next_offset", clipped.next_offset)
                .detail("cut", clipped.notes);
        }
        answer.data = Some(clipped.value);
        answer
    }

    /// Size, digest and a redacted preview of the result, for the auditor.
    pub(super) fn note_result(&self, trail: &mut Trail, entry: &Entry, masked: &Value) {
        let text = masked.to_string();
        trail.record.result_chars = u64::try_from(text.chars().count()).ok();
        trail.record.result_digest = Some(self.key.digest("toolgate.result.v1", &[text.as_bytes()]));
        let mut shown = Cow::Borrowed(masked);
        if let Some(redact) = entry.checked.tool.redact {
            // A redaction that fails hides everything.
            let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| redact(shown.to_mut())));
            if run.is_err() {
                shown = Cow::Owned(Value::String(crate::redact::FAILED.to_owned()));
            }
        }
        if !entry.checked.tool.sensitive_result.is_empty() {
            Redactor::mask_pointers(shown.to_mut(), &entry.checked.tool.sensitive_result);
        }
        let shown = self.redactor.value(&shown);
        let fits = surely_fits(&shown, PREVIEW);
        trail.record.result_preview = Some(if fits { shown } else { clip(&shown, PREVIEW).value });
    }
}
