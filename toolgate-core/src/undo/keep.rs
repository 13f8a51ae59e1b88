//! The keep: copies by the keyed digest of their bytes, steps by call and number, all of it sealed; the oldest goes
//! when there is too much. Not where the bytes lie, which is `place`'s.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::sync::{Mutex, PoisonError};

use super::budget::UndoBudget;
use super::place::{Entry, Place};
use super::state::{Facts, State, Step};
use crate::keys::{GateKey, SealBroken};
use crate::resource::Was;

const COPY: &str = "copy-";
const STEP: &str = "step-";

/// Why something can't be kept or read.
#[derive(Debug)]
pub(crate) enum KeepError {
    Io(io::Error),
    Sealed(SealBroken),
}

impl fmt::Display for KeepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Sealed(error) => error.fmt(f),
        }
    }
}

impl From<io::Error> for KeepError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<SealBroken> for KeepError {
    fn from(error: SealBroken) -> Self {
        Self::Sealed(error)
    }
}

/// What is kept of one call.
#[derive(Debug, Clone)]
pub(crate) struct KeptCall {
    pub(crate) facts: Facts,
    pub(crate) steps: Vec<Step>,
}

/// Everything that is kept.
#[derive(Debug)]
pub(crate) struct Keep {
    key: GateKey,
    place: Place,
    budget: UndoBudget,
    /// Bytes in use as far as this process knows; unknown before the first look.
    used: Mutex<Option<u64>>,
}

fn copy_name(digest: &str) -> String {
    format!("{COPY}{digest}")
}

fn step_name(call_id: &str, number: u32) -> String {
    format!("{STEP}{call_id}-{number:06}")
}

/// The call of a step's name.
fn call_of(name: &str) -> Option<&str> {
    name.strip_prefix(STEP)?.rsplit_once('-').map(|(call, _)| call)
}

fn context(name: &str) -> String {
    format!("toolgate.undo.v1/{name}")
}

impl Keep {
    pub(crate) fn new(key: GateKey, place: Place, budget: UndoBudget) -> Self {
        Self { key, place, budget, used: Mutex::default() }
    }

    /// Whether anything is kept at all.
    pub(crate) fn is_on(&self) -> bool {
        self.budget.total > 0
    }

    /// Most bytes of one copy.
    pub(crate) fn limit(&self) -> u64 {
        self.budget.copy.min(self.budget.total / 2)
    }

    /// The state that is kept of what stands at a name.
    pub(crate) fn state_of(&self, was: &Was<'_>) -> State {
        match was {
            Was::Absent => State::Absent,
            Was::Folder { mode } => State::Folder { mode: *mode },
            Was::Lost(why) => State::Lost { why: (*why).to_owned() },
            Was::File { bytes, mode } => {
                State::File { digest: self.digest(bytes), size: bytes.len() as u64, mode: *mode }
            }
        }
    }

    fn digest(&self, bytes: &[u8]) -> String {
        self.key.digest("toolgate.undo.copy.v1", &[bytes])
    }

    /// Keeps a step, and the bytes that it replaces; on disk when this returns.
    pub(crate) fn put(&self, call_id: &str, number: u32, step: &Step, before: &Was<'_>) -> Result<(), KeepError> {
        let text = serde_json::to_vec(step).map_err(|error| KeepError::Io(error.into()))?;
        let step = step_name(call_id, number);
        let sealed_step = self.key.seal(&context(&step), &text)?;
        let mut copy = None;
        if let Was::File { bytes, .. } = before {
            let name = copy_name(&self.digest(bytes));
            if !self.place.touch(&name)? {
                let sealed = self.key.seal(&context(&name), bytes)?;
                copy = Some((name, sealed));
            }
        }
        let copy = copy.as_ref().map(|(name, sealed)| (name.as_str(), sealed.as_slice()));
        let files: Vec<(&str, &[u8])> = copy.into_iter().chain([(step.as_str(), sealed_step.as_slice())]).collect();
        self.place.put(&files)?;
        self.make_room(files.iter().map(|(_, bytes)| bytes.len() as u64).sum(), call_id)?;
        Ok(())
    }

    /// What is kept of a call; `None` where nothing is, or no longer.
    pub(crate) fn call(&self, call_id: &str) -> Result<Option<KeptCall>, KeepError> {
        let mut steps: Vec<Step> = Vec::new();
        loop {
            let name = step_name(call_id, u32::try_from(steps.len()).unwrap_or(u32::MAX));
            let Some(step) = self.step(&name)? else { break };
            steps.push(step);
        }
        let facts = steps.first().and_then(|step| step.facts.as_deref()).cloned();
        Ok(facts.map(|facts| KeptCall { facts, steps }))
    }

    fn step(&self, name: &str) -> Result<Option<Step>, KeepError> {
        let Some(sealed) = self.place.get(name)? else {
            return Ok(None);
        };
        let text = self.key.open(&context(name), &sealed)?;
        serde_json::from_slice(&text).map(Some).map_err(|_| KeepError::Sealed(SealBroken))
    }

    /// The bytes of a copy, where it is still kept.
    pub(crate) fn bytes(&self, digest: &str) -> Result<Option<Vec<u8>>, KeepError> {
        let name = copy_name(digest);
        let Some(sealed) = self.place.get(&name)? else {
            return Ok(None);
        };
        Ok(Some(self.key.open(&context(&name), &sealed)?))
    }

    /// Whether a copy is still kept. It counts as used.
    pub(crate) fn has(&self, digest: &str) -> Result<bool, KeepError> {
        Ok(self.place.touch(&copy_name(digest))?)
    }

    /// The newest other call that changed one of these places of a workspace after that time.
    pub(crate) fn later(&self, call_id: &str, after_ms: i64, workspace: &str, places: &[&str]) -> Option<String> {
        let mut calls: Vec<String> =
            self.place.list().ok()?.iter().filter_map(|entry| call_of(&entry.name)).map(str::to_owned).collect();
        calls.sort_unstable();
        calls.dedup();
        let changed = |id: &String| {
            // What can't be opened names nobody.
            let kept = self.call(id).ok().flatten().filter(|kept| kept.facts.workspace == workspace)?;
            let of_place = |step: &&Step| places.contains(&step.change.place.as_str()) && step.at_ms >= after_ms;
            kept.steps.iter().filter(of_place).map(|step| step.at_ms).max()
        };
        let others = calls.into_iter().filter(|id| id != call_id);
        others.filter_map(|id| Some((changed(&id)?, id))).max().map(|(_, id)| id)
    }

    /// Removes the oldest until what is kept fits; what this call has just kept goes last.
    fn make_room(&self, added: u64, call_id: &str) -> Result<(), KeepError> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let now = match *used {
            Some(used) => used.saturating_add(added),
            None => total(&self.place.list()?),
        };
        *used = Some(now);
        if now <= self.budget.total {
            return Ok(());
        }
        let entries = self.place.list()?;
        let mut left = total(&entries);
        for group in oldest_first(entries, call_id) {
            if left <= self.budget.total {
                break;
            }
            for entry in group {
                self.place.remove(&entry.name)?;
                left = left.saturating_sub(entry.bytes);
            }
        }
        *used = Some(left);
        Ok(())
    }
}

fn total(entries: &[Entry]) -> u64 {
    entries.iter().map(|entry| entry.bytes).sum()
}

/// What goes together: the steps of a call, first the one without which the others are nothing; or one other file.
fn oldest_first(entries: Vec<Entry>, call_id: &str) -> Vec<Vec<Entry>> {
    let mut groups: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    for entry in entries {
        let group = call_of(&entry.name).map_or_else(|| entry.name.clone(), |call| format!("{STEP}{call}"));
        groups.entry(group).or_default().push(entry);
    }
    let own = format!("{STEP}{call_id}");
    let mut groups: Vec<(bool, u128, Vec<Entry>)> = groups
        .into_iter()
        .map(|(name, mut group)| {
            group.sort_unstable_by(|one, other| one.name.cmp(&other.name));
            (name == own, group.iter().map(|entry| entry.used).max().unwrap_or(0), group)
        })
        .collect();
    groups.sort_by_key(|group| (group.0, group.1));
    groups.into_iter().map(|(.., group)| group).collect()
}
