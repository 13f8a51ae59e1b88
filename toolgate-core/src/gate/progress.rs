//! What a running tool says about its progress, on its way to whoever listens: without known secrets.

use std::sync::Arc;

use serde_json::Value;

use crate::redact::{FAILED, Redactor};
use crate::tool::ProgressSink;

/// A sink that gets no known secret.
pub(super) struct Masked {
    sink: Arc<dyn ProgressSink>,
    redactor: Redactor,
}

impl Masked {
    pub(super) fn sink(sink: Arc<dyn ProgressSink>, redactor: Redactor) -> Arc<dyn ProgressSink> {
        Arc::new(Self { sink, redactor })
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
