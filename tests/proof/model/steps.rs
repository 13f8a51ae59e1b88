//! What each step writes into the store, in the words that a gate uses, and what a worker makes of the answer.

use toolgate_core::ledger::{Answer, Ending, KeyEvent, KeyState};
use toolgate_core::owner::holder_of;
use toolgate_core::store::{
    Begin, Begun, CallRecord, Claim, Event, KeyRecord, Record, Renew, Resolve, Resolved, Settle, StoreError,
    StoreFault, Sweep, Verdict, Write, Written,
};
use toolgate_testing::records;

use crate::rows::is_alive;
use crate::world::{Broken, Ledger, Phase, Run, State};

const KEY: &str = "operation";

impl Ledger {
    pub(crate) fn call(&self, state: &mut State, worker: usize, lost: bool) {
        state.left.calls -= 1;
        state.calls += 1;
        let call = format!("call-{}", state.calls);
        let key = match self.broken {
            Broken::KeyNotUnique => format!("{KEY} of {call}"),
            _ => KEY.to_owned(),
        };
        let claim = Claim { key, fingerprint: "arguments".to_owned(), repeat: self.repeat, stale: None };
        let owner = state.owner(worker);
        let lease = Some(Renew { holder: holder_of(&owner).to_owned(), for_ms: 10 });
        let begin = Begin { owner, lease, claims: vec![claim], ..records::begin(&call) };
        match state.rows.write(Write::Begin(Box::new(begin))) {
            Ok(Written::Begun(Begun::Started { .. })) if lost => {
                state.left.lost -= 1;
                state.workers[worker].phase = Phase::Unsure(call);
            }
            Ok(Written::Begun(Begun::Started { fences })) => {
                let run = Run { call, fence: fences[0], acted: false, timed_out: false };
                state.workers[worker].phase = Phase::Running(run);
            }
            // Nothing was changed, and an answer that is lost then tells as little.
            Ok(Written::Begun(Begun::Taken { key, .. })) => {
                let replays = key.state.answer(self.repeat, key.attempts) == Answer::Replay;
                state.seen.replayed |= replays;
                state.seen.success_told |= replays && key.state == KeyState::Succeeded;
            }
            other => panic!("a claim was answered with {other:?}"),
        }
    }

    pub(crate) fn time_out(&self, state: &mut State, worker: usize) {
        state.left.timeouts -= 1;
        let call = state.run_mut(worker).call.clone();
        state.run_mut(worker).timed_out = true;
        let record = Record::of(state.record(&call, "TIMED_OUT", "unknown"), vec![records::event(&call, "finished")]);
        state.rows.write(Write::Record(Box::new(record))).expect("a call that times out is recorded");
    }

    /// Transaction B, as `gate/outcome.rs` and `gate/late.rs` go about it.
    pub(crate) fn end(&self, state: &mut State, worker: usize, ending: Ending) {
        let Run { call, fence, timed_out, acted } = state.run_mut(worker).clone();
        if acted && state.seen.said_undone.contains(&call) {
            state.seen.came_back.push(call.clone());
        }
        state.workers[worker].phase = Phase::Free;
        let (word, effect) = match ending {
            Ending::Succeeded => ("SUCCEEDED", "done"),
            Ending::FailedNoEffect | Ending::FailedFinal => ("FAILED", "none"),
            Ending::Partial => ("FAILED", "partial"),
            Ending::InDoubt => ("FAILED", "unknown"),
        };
        let word = if timed_out { "TIMED_OUT" } else { word };
        let stored = state.rows.calls[&call].record.clone();
        let key = self.key_of(state, &call);
        let settle = Settle { key, fence: self.fence_shown(state, &call, fence), ending, late: false };
        let kind = if timed_out { "late_result" } else { "finished" };
        let event = records::event(&call, kind);
        let record =
            Record { settle: vec![settle.clone()], ..Record::of(state.record(&call, word, effect), vec![event]) };
        let told = match state.rows.write(Write::Record(Box::new(record.clone()))) {
            Ok(_) => true,
            Err(error) => {
                assert_eq!(error.fault(), StoreFault::Conflict, "{error}");
                self.end_contested(state, settle, record, (*stored).clone())
            }
        };
        state.seen.success_told |= told && ending == Ending::Succeeded && !timed_out;
    }

    /// A record that contradicts the ledger; whether it settled the key all the same.
    fn end_contested(&self, state: &mut State, settle: Settle, record: Record, stored: CallRecord) -> bool {
        let key = state.rows.keys[&settle.key].clone();
        if self.broken == Broken::SettledIsOpen {
            let next = KeyState::next(Some(KeyState::Running), KeyEvent::Finish(settle.ending), self.repeat).unwrap();
            state.rows.keys.insert(settle.key, KeyRecord { state: next, ..key });
            return true;
        }
        if key.state == KeyState::InDoubt && key.fence == settle.fence {
            let late = Record { settle: vec![Settle { late: true, ..settle }], ..record };
            let written: Result<Written, StoreError> = state.rows.write(Write::Record(Box::new(late)));
            written.expect("a result of the run that owns a key in doubt settles it");
            state.seen.late_settled = true;
            return true;
        }
        let name = stored.call_id.clone();
        let event = Event::new(&name, "late_conflict", records::NOON, &"");
        let noted = Record::of(stored, vec![event]);
        state.rows.write(Write::Record(Box::new(noted))).expect("a conflict is noted");
        false
    }

    fn key_of(&self, state: &State, call: &str) -> String {
        let own = format!("{KEY} of {call}");
        if state.rows.keys.contains_key(&own) { own } else { KEY.to_owned() }
    }

    fn fence_shown(&self, state: &State, call: &str, fence: u64) -> u64 {
        match self.broken {
            Broken::NoFence => state.rows.keys[&self.key_of(state, call)].fence,
            _ => fence,
        }
    }

    /// As `gate/late.rs` does it: the tool was not entered.
    pub(crate) fn take_back(state: &mut State, worker: usize) {
        let Phase::Unsure(call) = std::mem::take(&mut state.workers[worker].phase) else { return };
        let key = state.key().cloned().filter(|key| key.call_id == call && key.state == KeyState::Running);
        let ending = Ending::FailedNoEffect;
        let settle = key.map(|key| Settle { key: key.key, fence: key.fence, ending, late: false });
        let stored = &state.rows.calls[&call].record;
        let record = match stored.state.as_str() {
            "RUNNING" => state.record(&call, "FAILED", "none"),
            _ => CallRecord::clone(stored),
        };
        let event = records::event(&call, "taken_back");
        let record = Record { settle: settle.into_iter().collect(), ..Record::of(record, vec![event]) };
        state.rows.write(Write::Record(Box::new(record))).expect("what was not entered is taken back");
    }

    pub(crate) fn sweep(&self, state: &mut State) {
        let before = state.rows.clone();
        let sweep = Sweep { is_alive, now_ms: records::NOON };
        state.rows.write(Write::Sweep(sweep)).expect("a sweep finds only what runs");
        for (name, key) in &mut state.rows.keys {
            let is_proof = match self.broken {
                Broken::LeaseEndIsProof => before.has_lapsed(&key.owner),
                Broken::DeathIsProof => before.dead.contains(&key.owner),
                _ => false,
            };
            if is_proof && before.keys[name].state == KeyState::Running && key.state == KeyState::InDoubt {
                key.state = KeyState::FailedNoEffect;
            }
        }
    }

    pub(crate) fn look(state: &mut State) {
        state.left.verdicts -= 1;
        let key = state.rows.keys.values().find(|key| key.state == KeyState::InDoubt);
        state.desk = key.map(|key| (key.call_id.clone(), key.key.clone(), key.fence));
    }

    pub(crate) fn resolve(state: &mut State, verdict: Verdict) {
        let Some((call, key, fence)) = state.desk.take() else { return };
        let (by, why) = ("a person".to_owned(), "looked".to_owned());
        let keys = vec![(key, fence)];
        let resolve = Resolve { call_id: call.clone(), keys, verdict, result: None, by, why, now_ms: records::NOON };
        match state.rows.write(Write::Resolve(Box::new(resolve))) {
            Ok(Written::Resolved(Resolved::Now(_))) => match verdict {
                Verdict::NotApplied => state.seen.said_undone.push(call),
                Verdict::Applied | Verdict::Partial => state.seen.said_done.push(call),
            },
            Ok(Written::Resolved(Resolved::Changed(_))) => state.seen.came_too_late = true,
            other => panic!("a resolution was answered with {other:?}"),
        }
    }
}
