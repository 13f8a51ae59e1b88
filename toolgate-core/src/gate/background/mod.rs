//! Calls in the background: answered with a handle, driven on by the gate. Held here is which run in this process,
//! and that they are not too many; not the run itself, which is `execute`'s as any other's.

mod cancel;
mod given;
mod handle;
mod known;
mod running;
mod setup;
mod tools;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub use cancel::CancelAnswer;
pub use handle::{BackgroundCall, ProgressUpdates};
pub use known::{BackgroundState, BackgroundStatus};
pub use running::Progress;
pub use tools::{CANCEL_CALL, READ_CALL};

pub(super) use given::runs_already;
pub(super) use running::{Slot, cancelled};
pub(super) use setup::all_tools;
pub(super) use tools::Behind;

use running::Live;

use super::answer::Answer;
use super::pool::Pool;
use super::{GateInner, message};
use crate::call::{Code, Stage};
use crate::session::TaskInfo;
use crate::spec::ToolSpec;

/// How many calls may run in the background at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) of_a_session: usize,
    pub(super) of_the_gate: usize,
}

impl Bounds {
    pub(super) const DEFAULT: Self = Self { of_a_session: 8, of_the_gate: 64 };
}

/// The calls that run in the background here.
#[derive(Debug)]
pub(super) struct Background {
    bounds: Bounds,
    /// Sync tools that run for long keep no place from the others.
    pub(super) pool: Pool,
    running: Running,
}

/// Shared with each of them, which takes itself out.
type Running = Arc<Mutex<Register>>;

#[derive(Debug, Default)]
struct Register {
    /// By handle.
    calls: HashMap<String, Arc<Live>>,
    /// How many of each session.
    sessions: HashMap<String, usize>,
    all: usize,
}

fn register(running: &Running) -> MutexGuard<'_, Register> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Background {
    pub(super) fn new(bounds: Bounds, queue: Duration) -> Self {
        let pool = Pool::new(bounds.of_the_gate, queue);
        Self { bounds, pool, running: Running::default() }
    }

    fn has_room(&self, register: &Register, session: &str) -> bool {
        let own = register.sessions.get(session).copied().unwrap_or_default();
        own < self.bounds.of_a_session && register.all < self.bounds.of_the_gate
    }

    /// A place among them, held until it is dropped.
    pub(super) fn place(&self, session: &str) -> Result<Slot, Answer> {
        let mut register = register(&self.running);
        if !self.has_room(&register, session) {
            return Err(full(Stage::Claim));
        }
        register.all += 1;
        *register.sessions.entry(session.to_owned()).or_default() += 1;
        Ok(Slot::new(Arc::clone(&self.running), session))
    }

    /// Whether its tool has said anything of its progress.
    pub(super) fn has_said(&self, call_id: &str) -> bool {
        self.live(call_id).is_some_and(|live| live.now.borrow().progress.is_some())
    }

    /// One that runs here.
    fn live(&self, call_id: &str) -> Option<Arc<Live>> {
        register(&self.running).calls.get(call_id).cloned()
    }
}

fn full(stage: Stage) -> Answer {
    Answer::refuse(Code::LimitExceeded, stage, "limit.background", message::BACKGROUND_FULL).retryable()
}

impl GateInner {
    /// Whether there is room for one more, before anybody is asked for it.
    pub(super) fn check_background(&self, task: &TaskInfo, spec: &ToolSpec, is_inner: bool) -> Result<(), Answer> {
        let background = &self.background;
        let free = || background.has_room(&register(&background.running), &task.session.bound);
        if !spec.background || is_inner || free() { Ok(()) } else { Err(full(Stage::Policy)) }
    }
}
