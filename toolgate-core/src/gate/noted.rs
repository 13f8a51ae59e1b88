//! What a running tool, or a library that acts for it, has met that isn't enforced; for the record of its call. What is
//! known before the run is `governed.rs`'s.

use std::sync::{Mutex, PoisonError};

use super::inner::Caller;
use crate::call::Stage;
use crate::policy::{Control, Mode, Verdict, WouldRefuse};
use crate::session::Capabilities;
use crate::tool::Notes;

/// Most that is kept of one run.
const MOST: usize = 50;

/// What one run has met so far.
#[derive(Debug, Default)]
pub(super) struct Noted(Mutex<Vec<WouldRefuse>>);

impl Noted {
    fn add(&self, refusal: WouldRefuse) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.len() < MOST && !noted.contains(&refusal) {
            noted.push(refusal);
        }
    }

    /// What was met since the last time.
    pub(super) fn take(&self) -> Vec<WouldRefuse> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Notes for Caller {
    fn note_grants(&self, control: Control, rule: &str, reason: &str, allow: &dyn Fn(&Capabilities) -> bool) {
        for (grants, modes) in &self.outer.soft {
            let Some(mode) = modes.mode(control).filter(|mode| *mode != Mode::Enforce) else { continue };
            if !allow(grants) {
                self.outer.noted.add(WouldRefuse::new(Verdict::Deny, rule, mode, reason).at(Stage::Execute));
            }
        }
    }

    fn note_missing(&self, rule: &str, reason: &str) {
        self.outer.noted.add(WouldRefuse::new(Verdict::Deny, rule, Mode::Observe, reason).at(Stage::Execute));
    }
}
