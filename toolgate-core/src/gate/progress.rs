//! What a running tool says about its progress, on its way to whoever listens: without known secrets.

use std::sync::Arc;

use serde_json::Value;

use super::GateInner;
use super::trail::Trail;
use crate::redact::{FAILED, Redactor};
use crate::tool::ProgressSink;

/// A sink that gets no known secret.
pub(super) struct Masked {
    sink: Arc<dyn ProgressSink>,
    redactor: Redactor,
}

impl Masked {
    fn sink(sink: Arc<dyn ProgressSink>, redactor: Redactor) -> Arc<dyn ProgressSink> {
        Arc::new(Self { sink, redactor })
    }
}

impl GateInner {
    /// Who hears of the progress of a call, where anybody does.
    pub(super) fn progress_of(&self, trail: &Trail) -> Option<Arc<dyn ProgressSink>> {
        let sink = self.progress.clone();
        let sink = match &trail.slot {
            Some(slot) => Some(slot.listener(Arc::clone(&self.clock), sink)),
            None => sink,
        };
        sink.map(|sink| Masked::sink(sink, self.redactor.clone()))
    }
}

impl ProgressSink for Masked {
    fn progress(&self, call_id: &str, done: u64, total: Option<u64>, note: &str) {
        if !self.redactor.has_secrets() {
            return self.sink.progress(call_id, done, total, note);
        }
        let mut masked = Value::from(note);
        self.redactor.mask_known(&mut masked);
        self.sink.progress(call_id, done, total, masked.as_str().unwrap_or(FAILED));
    }
}
