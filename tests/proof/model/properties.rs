//! What must hold in every state, and what some state must show so that the model isn't empty talk.

use stateright::{Model as _, Property};
use toolgate_core::ledger::KeyState;
use toolgate_core::spec::Repeat;

use crate::world::{Ledger, Phase, Run, State};

pub(crate) const ONE_EFFECT: &str = "at most one effect, among calls that nobody said had none";
pub(crate) const SETTLED_STAYS: &str = "what is settled stays as it is";
pub(crate) const NOTHING_LEFT: &str = "where nothing more happens, nothing is left running";

/// Notes what can only be seen between two states. `ended`: the run that this step ended.
pub(crate) fn note(before: &State, after: &mut State, ended: Option<&Run>) {
    for (name, key) in &after.rows.keys {
        let Some(old) = before.rows.keys.get(name) else { continue };
        let settled = matches!(old.state, KeyState::Succeeded | KeyState::FailedFinal | KeyState::Partial);
        after.seen.rewritten |= settled && old != key;
        after.seen.fence_went_back |= key.fence < old.fence;
        after.seen.taken_while_running |= key.fence != old.fence && old.state == KeyState::Running;
        let moved = key.state != old.state && key.fence == old.fence;
        after.seen.settled_by_another |= moved && ended.is_some_and(|run| run.fence != key.fence);
    }
}

fn one_effect(_: &Ledger, state: &State) -> bool {
    let counts = |call: &&String| !state.seen.said_undone.contains(call);
    state.seen.effects.iter().filter(counts).count() <= 1
}

fn happened(state: &State, call: &String) -> bool {
    state.seen.effects.contains(call) || state.seen.said_done.contains(call)
}

fn success_is_true(_: &Ledger, state: &State) -> bool {
    let told = !state.seen.success_told || !state.seen.effects.is_empty() || !state.seen.said_done.is_empty();
    let mut keys = state.rows.keys.values();
    told && keys.all(|key| key.state != KeyState::Succeeded || happened(state, &key.call_id))
}

/// A run that is still under way is named by its RUNNING row; one whose worker died, once it is swept.
fn every_effect_is_named(_: &Ledger, state: &State) -> bool {
    state.seen.effects.iter().all(|call| {
        let row = &state.rows.calls[call].record;
        let is_open = row.state == "RUNNING" || state.workers.iter().any(|worker| is_running(&worker.phase, call));
        let is_told = matches!(row.effect.as_str(), "done" | "partial" | "unknown");
        is_open || is_told || state.seen.said_undone.contains(call) || state.rows.alarms.contains(call)
    })
}

fn is_running(phase: &Phase, call: &str) -> bool {
    matches!(phase, Phase::Running(run) if run.call == call)
}

/// A run that comes back with an effect after a person said that it had none raises an alarm. One that died has
/// nobody left who could tell.
fn mistake_is_told(_: &Ledger, state: &State) -> bool {
    state.seen.came_back.iter().all(|call| state.rows.alarms.contains(call))
}

fn nothing_is_left(model: &Ledger, state: &State) -> bool {
    let mut more = Vec::new();
    model.actions(state, &mut more);
    !more.is_empty() || state.rows.running_owners().is_empty()
}

pub(crate) fn all(repeat: Repeat) -> Vec<Property<Ledger>> {
    let mut all = vec![
        Property::<Ledger>::always("a success that is told or recorded happened", success_is_true),
        Property::<Ledger>::always(SETTLED_STAYS, |_, state| !state.seen.rewritten),
        Property::<Ledger>::always("fences only grow", |_, state| !state.seen.fence_went_back),
        Property::<Ledger>::always("a run settles its own claim only", |_, state| !state.seen.settled_by_another),
        Property::<Ledger>::always("nobody takes a key that runs", |_, state| !state.seen.taken_while_running),
        Property::<Ledger>::always("every effect is named", every_effect_is_named),
        Property::<Ledger>::always("a person's mistake is told by the run that comes back", mistake_is_told),
        Property::<Ledger>::always(NOTHING_LEFT, nothing_is_left),
        Property::<Ledger>::sometimes("a late result settles the key", |_, state| state.seen.late_settled),
        Property::<Ledger>::sometimes("a late result contradicts the key", |_, state| !state.rows.alarms.is_empty()),
        Property::<Ledger>::sometimes("a success is given again", |_, state| state.seen.replayed),
        Property::<Ledger>::sometimes("a person is too late", |_, state| state.seen.came_too_late),
        Property::<Ledger>::sometimes("a person is wrong", |_, state| {
            state.seen.said_undone.iter().any(|call| state.seen.effects.contains(call))
        }),
    ];
    if repeat == Repeat::Once {
        all.push(Property::<Ledger>::always(ONE_EFFECT, one_effect));
    }
    all
}
