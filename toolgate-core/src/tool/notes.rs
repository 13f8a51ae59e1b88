//! What libraries that enforce something inside of a run tell of what isn't enforced there. Not the enforcing.

use super::context::Context;
use crate::policy::Control;
use crate::session::Capabilities;

/// Hears what a run has met that isn't enforced, and puts it into the record of the call.
pub trait Notes: Send + Sync {
    /// Notes what grants would have refused whose control isn't enforced yet, where they don't `allow` it.
    fn note_grants(&self, control: Control, rule: &str, reason: &str, allow: &dyn Fn(&Capabilities) -> bool);

    /// Notes a protection that isn't there.
    fn note_missing(&self, rule: &str, reason: &str);
}

impl Context {
    /// For libraries that hold what a tool uses against the task's capabilities: says what was used just now, so that the
    /// record of the call has what the policy's grants would have refused of it, where this control of theirs is only
    /// observed ([`CallRecord::would_refuse`](crate::store::CallRecord::would_refuse)).
    pub fn note_grants(&self, control: Control, rule: &str, reason: &str, allow: impl Fn(&Capabilities) -> bool) {
        if let Some(notes) = self.notes() {
            notes.note_grants(control, rule, reason, &allow);
        }
    }

    /// For libraries that protect: says what of a protection wasn't there, so that the record of the call has it.
    pub fn note_missing(&self, rule: &str, reason: &str) {
        if let Some(notes) = self.notes() {
            notes.note_missing(rule, reason);
        }
    }
}
