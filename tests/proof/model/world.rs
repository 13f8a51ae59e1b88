//! The world around the store: workers, what happens to them, and what they did that no store knows of.

use std::hash::{Hash, Hasher};

use stateright::Model;
use toolgate_core::ledger::{Ending, KeyState};
use toolgate_core::spec::Repeat;
use toolgate_core::store::{CallRecord, KeyRecord, Verdict};

use crate::properties;
use crate::rows::ModelRows;

pub(crate) const WORKERS: usize = 3;

/// Which safeguard is taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Broken {
    Nothing,
    /// Whoever settles a key counts as its owner.
    NoFence,
    /// Two rows for one key don't contradict each other.
    KeyNotUnique,
    /// What a run whose lease is over left counts as not having happened.
    LeaseEndIsProof,
    /// What a dead owner left counts as not having happened.
    DeathIsProof,
    /// Nobody looks for what the dead left.
    NoSweep,
    /// A settled key takes another ending.
    SettledIsOpen,
}

/// How often each misfortune happens at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Budget {
    pub(crate) calls: u8,
    pub(crate) crashes: u8,
    pub(crate) lapses: u8,
    pub(crate) lost: u8,
    pub(crate) timeouts: u8,
    pub(crate) verdicts: u8,
}

/// A world to explore.
#[derive(Debug, Clone)]
pub(crate) struct Ledger {
    pub(crate) repeat: Repeat,
    pub(crate) budget: Budget,
    pub(crate) broken: Broken,
}

impl Ledger {
    pub(crate) const fn new(repeat: Repeat) -> Self {
        let budget = match repeat {
            // What is in doubt runs again: there is far more to see.
            Repeat::Idempotent => Budget { calls: 4, crashes: 1, lapses: 1, lost: 0, timeouts: 0, verdicts: 1 },
            _ => Budget { calls: 4, crashes: 1, lapses: 1, lost: 1, timeouts: 1, verdicts: 1 },
        };
        Self { repeat, budget, broken: Broken::Nothing }
    }
}

/// A run of the tool.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Run {
    pub(crate) call: String,
    pub(crate) fence: u64,
    pub(crate) acted: bool,
    pub(crate) timed_out: bool,
}

/// What a worker does.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) enum Phase {
    #[default]
    Free,
    Running(Run),
    /// It doesn't know whether its transaction A was taken.
    Unsure(String),
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Worker {
    /// How often it was started.
    starts: u8,
    pub(crate) phase: Phase,
}

/// What happened, beside the rows. No store knows of it.
#[expect(clippy::struct_excessive_bools, reason = "each is noted apart from the others")]
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Seen {
    /// The call of each effect.
    pub(crate) effects: Vec<String>,
    /// Calls of which a person said that they had no effect.
    pub(crate) said_undone: Vec<String>,
    /// Calls of which a person said that they happened, or some of it.
    pub(crate) said_done: Vec<String>,
    /// Calls that ended with an effect after that was said.
    pub(crate) came_back: Vec<String>,
    /// Whether a caller was told of a success, its own or a recorded one.
    pub(crate) success_told: bool,
    /// What must never be, noted as it happens.
    pub(crate) rewritten: bool,
    pub(crate) settled_by_another: bool,
    pub(crate) fence_went_back: bool,
    pub(crate) taken_while_running: bool,
    /// What should be possible, noted as it happens.
    pub(crate) late_settled: bool,
    pub(crate) replayed: bool,
    pub(crate) came_too_late: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct State {
    pub(crate) rows: ModelRows,
    pub(crate) workers: [Worker; WORKERS],
    pub(crate) left: Budget,
    pub(crate) calls: u8,
    /// What a person looks at: a call in doubt, its key and fence.
    pub(crate) desk: Option<(String, String, u64)>,
    pub(crate) seen: Seen,
}

impl Hash for State {
    fn hash<H: Hasher>(&self, hash: &mut H) {
        (&self.rows, &self.workers, &self.left, self.calls, &self.desk, &self.seen).hash(hash);
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Action {
    /// A worker asks for the operation. `lost`: it doesn't hear the store's answer.
    Call { worker: usize, lost: bool },
    /// The tool does to the world what it is for.
    Act(usize),
    /// The caller waits no longer; the tool goes on.
    TimeOut(usize),
    /// The tool ends, and the worker writes how.
    End(usize, Ending),
    /// A worker that heard no answer looks, and takes back what it finds.
    TakeBack(usize),
    /// The process ends, and a new one is started.
    Crash(usize),
    /// The process is paused for longer than its lease.
    Lapse(usize),
    /// Somebody looks for what the dead left.
    Sweep,
    /// A person looks at what is in doubt.
    Look,
    /// And says what became of it, whatever has changed meanwhile.
    Resolve(Verdict),
}

fn owner_of(worker: usize, starts: u8) -> String {
    format!("boot:{worker}:{starts}:ns:g{worker}:1")
}

impl State {
    pub(crate) fn key(&self) -> Option<&KeyRecord> {
        self.rows.keys.values().next_back()
    }

    pub(crate) fn owner(&self, worker: usize) -> String {
        owner_of(worker, self.workers[worker].starts)
    }

    fn run(&self, worker: usize) -> Option<&Run> {
        match &self.workers[worker].phase {
            Phase::Running(run) => Some(run),
            Phase::Free | Phase::Unsure(_) => None,
        }
    }

    pub(crate) fn run_mut(&mut self, worker: usize) -> &mut Run {
        match &mut self.workers[worker].phase {
            Phase::Running(run) => run,
            phase => panic!("a worker that is {phase:?} has no run"),
        }
    }

    /// The record of a call with another end.
    pub(crate) fn record(&self, call: &str, state: &str, effect: &str) -> CallRecord {
        let record = CallRecord::clone(&self.rows.calls[call].record);
        CallRecord { state: state.to_owned(), effect: effect.to_owned(), ..record }
    }
}

impl Model for Ledger {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let nothing = (ModelRows::default(), <[Worker; WORKERS]>::default(), Seen::default());
        let (rows, workers, seen) = nothing;
        vec![State { rows, workers, left: self.budget, calls: 0, desk: None, seen }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        // Workers that are free differ in their names only: the first of them is the one that calls.
        let caller = state.workers.iter().position(|worker| worker.phase == Phase::Free);
        for (worker, Worker { phase, .. }) in state.workers.iter().enumerate() {
            let lapsed = state.rows.has_lapsed(&state.owner(worker));
            match phase {
                Phase::Free if state.left.calls > 0 && caller == Some(worker) => {
                    actions.push(Action::Call { worker, lost: false });
                    if state.left.lost > 0 {
                        actions.push(Action::Call { worker, lost: true });
                    }
                }
                Phase::Free => {}
                Phase::Unsure(_) => actions.push(Action::TakeBack(worker)),
                Phase::Running(run) => {
                    if run.acted {
                        actions.extend([Ending::Succeeded, Ending::Partial].map(|ending| Action::End(worker, ending)));
                    } else {
                        actions.push(Action::Act(worker));
                        let none = [Ending::FailedNoEffect, Ending::FailedFinal];
                        actions.extend(none.map(|ending| Action::End(worker, ending)));
                    }
                    actions.push(Action::End(worker, Ending::InDoubt));
                    if !run.timed_out && state.left.timeouts > 0 {
                        actions.push(Action::TimeOut(worker));
                    }
                }
            }
            if *phase != Phase::Free && state.left.crashes > 0 {
                actions.push(Action::Crash(worker));
            }
            if *phase != Phase::Free && state.left.lapses > 0 && !lapsed {
                actions.push(Action::Lapse(worker));
            }
        }
        if self.broken != Broken::NoSweep && state.rows.is_orphaned() {
            actions.push(Action::Sweep);
        }
        let in_doubt = state.rows.keys.values().any(|key| key.state == KeyState::InDoubt);
        if state.desk.is_some() {
            actions.extend(Verdict::ALL.map(Action::Resolve));
        } else if state.left.verdicts > 0 && in_doubt {
            actions.push(Action::Look);
        }
    }

    fn next_state(&self, before: &State, action: Action) -> Option<State> {
        let mut state = before.clone();
        match action {
            Action::Call { worker, lost } => self.call(&mut state, worker, lost),
            Action::Act(worker) => {
                let run = state.run_mut(worker);
                run.acted = true;
                let call = run.call.clone();
                state.seen.effects.push(call);
            }
            Action::TimeOut(worker) => self.time_out(&mut state, worker),
            Action::End(worker, ending) => self.end(&mut state, worker, ending),
            Action::TakeBack(worker) => Self::take_back(&mut state, worker),
            Action::Crash(worker) => {
                state.left.crashes -= 1;
                state.rows.dead.insert(state.owner(worker));
                let starts = state.workers[worker].starts + 1;
                // Its name matters as long as it owns something.
                state.workers[worker] = Worker { starts, phase: Phase::Free };
            }
            Action::Lapse(worker) => {
                state.left.lapses -= 1;
                let owner = state.owner(worker);
                state.rows.lapse(&owner);
            }
            Action::Sweep => self.sweep(&mut state),
            Action::Look => Self::look(&mut state),
            Action::Resolve(verdict) => Self::resolve(&mut state, verdict),
        }
        if state == *before {
            return None;
        }
        state.rows.forget_the_gone();
        let ended = run_ended(before, &state);
        properties::note(before, &mut state, ended);
        Some(state)
    }

    fn properties(&self) -> Vec<stateright::Property<Self>> {
        properties::all(self.repeat)
    }
}

/// The run that a step ended, if any.
fn run_ended<'s>(before: &'s State, after: &State) -> Option<&'s Run> {
    let ended = |worker: &usize| before.run(*worker).is_some() && after.run(*worker).is_none();
    (0..WORKERS).find(ended).and_then(|worker| before.run(worker))
}
