//! Stage 9, the result on its way to the model: masked before it comes here, bounded here. What is
//! stored or foreign is redacted further; a model that reads a mask would write it back.

use std::borrow::Cow;

use serde_json::Value;

use super::answer::Answer;
use super::blocks::Blocks;
use super::claim::Entry;
use super::trail::Trail;
use super::{GateInner, message};
use crate::call::Stage;
use crate::clip::{clip, json_of, surely_fits};
use crate::redact::Redactor;
use crate::spec::RegisteredTool;
use crate::store::CallRecord;

/// Most characters of a result in the audit record.
const PREVIEW: usize = 2_000;

impl GateInner {
    /// A success with its result within `limit` characters, and the handle to the rest.
    pub(super) fn clipped(&self, limit: usize, call_id: &str, masked: &Value, blocks: &Blocks) -> Answer {
        if blocks.is_empty() && surely_fits(masked, limit) {
            return Answer { given: Some(Box::new((masked.clone(), Vec::new()))), ..Answer::done() };
        }
        let mut clipped = clip(masked, limit);
        let (content, beyond) = blocks.within(&mut clipped, limit);
        let mut answer = Answer::done();
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
        let left_out = blocks.left_out(&beyond);
        if !left_out.is_empty() {
            answer.stage = Stage::Clip;
            answer.truncated = true;
            answer.message = message::and_then(&answer.message, message::LEFT_OUT);
            answer = answer.detail("left_out", left_out);
        }
        answer.given = Some(Box::new((clipped.value, content)));
        answer
    }

    /// Size, digest and a redacted preview of the result, for the auditor.
    pub(super) fn note_result(&self, trail: &mut Trail, entry: &Entry, masked: &Value, blocks: &Blocks) {
        self.note_result_of(&mut trail.record, &entry.checked.tool, masked, blocks);
    }

    /// The same, in the record of any call of the tool.
    pub(super) fn note_result_of(
        &self,
        record: &mut CallRecord,
        tool: &RegisteredTool,
        masked: &Value,
        blocks: &Blocks,
    ) {
        let text = json_of(masked);
        let digests = blocks.digests();
        let parts: Vec<&[u8]> = std::iter::once(&text).chain(&digests).map(String::as_bytes).collect();
        record.result_chars = u64::try_from(text.chars().count() + blocks.text_chars()).ok();
        record.result_digest = Some(self.key.digest("toolgate.result.v1", &parts));
        record.content = self.block_records(blocks, tool.redact.is_none());
        let mut shown = Cow::Borrowed(masked);
        if let Some(redact) = tool.redact {
            // A redaction that fails hides everything.
            let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| redact(shown.to_mut())));
            if run.is_err() {
                shown = Cow::Owned(Value::String(crate::redact::FAILED.to_owned()));
            }
        }
        if !tool.sensitive_result.is_empty() {
            Redactor::mask_pointers(shown.to_mut(), &tool.sensitive_result);
        }
        let shown = self.redactor.redacted(shown.into_owned());
        let fits = surely_fits(&shown, PREVIEW);
        record.result_preview = Some(if fits { shown } else { clip(&shown, PREVIEW).value });
    }
}
