//! The ledger against the file of effects and what callers were told.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use toolgate_core::ledger::KeyState;
use toolgate_core::store::{CallFilter, CallRecord, KeyRecord, Store};

use crate::plan::{Error, Plan, is_once};
use crate::worker;

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) faults: Vec<String>,
    calls: usize,
    effects: usize,
    keys: BTreeMap<&'static str, u64>,
    events: String,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { faults, calls, effects, keys, events } = self;
        let keys: Vec<String> = keys.iter().map(|(state, count)| format!("{count} {state}")).collect();
        write!(f, "{calls} calls, {effects} effects, {events} events; keys: {}; ", keys.join(", "))?;
        write!(f, "{} faults", faults.len())
    }
}

/// What happened to one operation.
#[derive(Debug, Default)]
struct Operation {
    key: Option<KeyRecord>,
    /// The call of each effect.
    effects: Vec<String>,
    calls: Vec<CallRecord>,
    told_success: bool,
}

pub(crate) async fn check(plan: &Plan) -> Result<Found, Error> {
    // The last start: names what the dead have left.
    let gate = worker::gate(&Plan { broken: None, ..plan.clone() }).await?;
    let store = &**gate.store();
    let report = store.report().await?;
    let events = report.facts.iter().find(|(name, _)| name == "events").map(|(_, count)| count.clone());
    let mut found = Found { events: events.unwrap_or_default(), ..Found::default() };
    found.faults.extend(report.faults.iter().map(|fault| format!("the store: {fault}")));
    let calls = store.calls(&CallFilter::default()).await?;
    found.calls = calls.len();
    found.answers_are_recorded(plan, &calls)?;
    let operations = operations(plan, store, calls).await?;
    for number in 0..plan.keys {
        match operations.get(&number.to_string()) {
            Some(operation) => found.see(number, operation),
            None => found.faults.push(format!("operation {number}: nothing is known of it")),
        }
    }
    drop(gate);
    std::fs::remove_dir_all(&plan.place)?;
    Ok(found)
}

async fn operations(
    plan: &Plan,
    store: &dyn Store,
    calls: Vec<CallRecord>,
) -> Result<HashMap<String, Operation>, Error> {
    let mut operations: HashMap<String, Operation> = HashMap::new();
    let mut keys: BTreeMap<String, String> = BTreeMap::new();
    for call in calls {
        if let Some(key) = &call.key {
            keys.insert(key.clone(), call.scope.clone());
        }
        operations.entry(call.scope.clone()).or_default().calls.push(call);
    }
    for line in plan.effects().lines()? {
        if let [number, key, call] = line.as_slice() {
            keys.insert(key.clone(), number.clone());
            operations.entry(number.clone()).or_default().effects.push(call.clone());
        }
    }
    for line in plan.answers().lines()? {
        if let [number, _, code, _] = line.as_slice() {
            let is_success = code == "OK" || code == "IDEMPOTENT_REPLAY";
            operations.entry(number.clone()).or_default().told_success |= is_success;
        }
    }
    let names: Vec<String> = keys.keys().cloned().collect();
    for (record, number) in store.recall(&names, "history").await?.keys.into_iter().zip(keys.into_values()) {
        operations.entry(number).or_default().key = record;
    }
    Ok(operations)
}

impl Found {
    /// Every answer that a caller had stands in the ledger, unless it said that it doesn't.
    fn answers_are_recorded(&mut self, plan: &Plan, calls: &[CallRecord]) -> Result<(), Error> {
        let calls: HashMap<&str, &CallRecord> = calls.iter().map(|call| (call.call_id.as_str(), call)).collect();
        for line in plan.answers().lines()? {
            let [_, call, code, _] = line.as_slice() else { continue };
            if code == "AUDIT_UNAVAILABLE" {
                continue;
            }
            match calls.get(call.as_str()) {
                Some(record) if record.code == *code => {}
                Some(record) => self.faults.push(format!("{call} was told {code}, the ledger says {}", record.code)),
                None => self.faults.push(format!("{call} was told {code}, and its record is lost")),
            }
        }
        Ok(())
    }

    fn see(&mut self, number: u64, operation: &Operation) {
        let Operation { key, effects, calls, told_success } = operation;
        self.effects += effects.len();
        let mut fault = |text: String| self.faults.push(format!("operation {number}: {text}"));
        if is_once(number) && effects.len() > 1 {
            fault(format!("{} effects, by {}", effects.len(), effects.join(" and ")));
        }
        let Some(key) = key else {
            fault("its key is lost".to_owned());
            return;
        };
        match key.state {
            KeyState::Running => fault("its key runs, and nobody is left".to_owned()),
            KeyState::Succeeded if !effects.contains(&key.call_id) => {
                fault(format!("succeeded by {}, which had no effect", key.call_id));
            }
            KeyState::FailedNoEffect | KeyState::FailedFinal if is_once(number) && !effects.is_empty() => {
                fault(format!("{}, but there is an effect", key.state));
            }
            _ => {}
        }
        if *told_success && effects.is_empty() {
            fault("a caller was told of a success, and nothing happened".to_owned());
        }
        let running = calls.iter().filter(|call| call.state == "RUNNING");
        running.for_each(|call| fault(format!("{} runs, and nobody is left", call.call_id)));
        let named: BTreeSet<&str> = calls
            .iter()
            .filter(|call| matches!(call.effect.as_str(), "done" | "partial" | "unknown"))
            .map(|call| call.call_id.as_str())
            .collect();
        for call in effects.iter().filter(|call| !named.contains(call.as_str())) {
            fault(format!("the effect of {call} isn't named"));
        }
        *self.keys.entry(key.state.as_str()).or_default() += 1;
    }
}
