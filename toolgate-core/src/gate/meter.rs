//! What sessions, tasks and tools have used, held against the limits of the policy of the moment. Kept in memory and in
//! bounds, and going on when the policy is replaced. Not the limits of capabilities, which those count themselves.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::policy::{Counted, Limit, Mode, Rate};
use crate::store::Millis;

/// Most counters; beyond them, those that were idle for a day are dropped, and then calls are refused.
const MOST: usize = 65_536;
/// After so long a time without a call a counter may be dropped for another.
const IDLE_MS: Millis = 86_400_000;

/// What is counted together, where.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    session: String,
    task: Option<String>,
    counted: Counted,
}

#[derive(Debug, Default)]
struct Used {
    calls: u64,
    /// When the last ones were, as far as rates look back.
    times: VecDeque<Millis>,
    bytes: u64,
    wall_ms: u64,
    seen_ms: Millis,
}

/// Which limit is reached, by which calls, and when to try again where that helps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reached {
    pub(super) rule: &'static str,
    pub(super) counted: Option<Counted>,
    pub(super) retry_ms: Option<Millis>,
    pub(super) mode: Mode,
}

/// Whose calls they are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Whose<'w> {
    pub(super) session: &'w str,
    pub(super) task: &'w str,
}

#[derive(Debug, Default)]
pub(super) struct Meters {
    used: Mutex<HashMap<Key, Used>>,
}

fn key(whose: Whose<'_>, counted: &Counted) -> Key {
    let task = matches!(counted, Counted::Task(_)).then(|| whose.task.to_owned());
    Key { session: whose.session.to_owned(), task, counted: counted.clone() }
}

/// What is counted, each once, however many limits are about it.
fn each_once(limits: &[Limit]) -> Vec<&Counted> {
    let mut found: Vec<&Counted> = Vec::new();
    for limit in limits {
        if !found.contains(&&limit.counted) {
            found.push(&limit.counted);
        }
    }
    found
}

impl Meters {
    fn used(&self) -> MutexGuard<'_, HashMap<Key, Used>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call in all its limits, and gives those that it would pass were they enforced; or counts it in none,
    /// and gives one that refuses it.
    pub(super) fn admit(
        &self,
        limits: &[Limit],
        whose: Whose<'_>,
        bytes: u64,
        now: Millis,
    ) -> Result<Vec<Reached>, Reached> {
        if limits.is_empty() {
            return Ok(Vec::new());
        }
        let mut used = self.used();
        let mut reached: Vec<Reached> = Vec::new();
        for limit in limits {
            match used.get(&key(whose, &limit.counted)) {
                Some(so_far) => reached.extend(so_far.reached(limit, bytes, now)),
                None => reached.extend(Used::default().reached(limit, bytes, now)),
            }
        }
        if let Some(refusing) = reached.iter().find(|reached| reached.mode == Mode::Enforce) {
            return Err(refusing.clone());
        }
        let counted = each_once(limits);
        if !has_room(&mut used, counted.len(), now) {
            let mode = limits.iter().map(|limit| limit.mode).max().unwrap_or(Mode::Enforce);
            let full = Reached { rule: "limit.not_counted", counted: None, retry_ms: None, mode };
            return if mode == Mode::Enforce { Err(full) } else { Ok(vec![full]) };
        }
        for counted in counted {
            let rates = limits.iter().filter(|limit| limit.counted == *counted).filter_map(|limit| limit.rate);
            used.entry(key(whose, counted)).or_default().count(rates, bytes, now);
        }
        Ok(reached)
    }

    /// Adds what the run of a counted call has used.
    pub(super) fn add(&self, limits: &[Limit], whose: Whose<'_>, bytes: u64, time: Duration) {
        let mut used = self.used();
        for counted in each_once(limits) {
            if let Some(used) = used.get_mut(&key(whose, counted)) {
                used.bytes = used.bytes.saturating_add(bytes);
                used.wall_ms = used.wall_ms.saturating_add(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
            }
        }
    }
}

/// Makes room for so many more counters, where there isn't any.
fn has_room(used: &mut HashMap<Key, Used>, more: usize, now: Millis) -> bool {
    if used.len() + more > MOST {
        used.retain(|_, used| now.saturating_sub(used.seen_ms) < IDLE_MS);
    }
    used.len() + more <= MOST
}

impl Used {
    /// Which parts of a limit one more call would pass.
    fn reached(&self, limit: &Limit, bytes: u64, now: Millis) -> Vec<Reached> {
        let wall = limit.wall_time.map(|most| u64::try_from(most.as_millis()).unwrap_or(u64::MAX));
        let retry_ms = limit.rate.and_then(|rate| self.retry_ms(rate, now));
        let parts = [
            ("limit.calls", limit.calls.is_some_and(|most| self.calls >= most), None),
            ("limit.rate", retry_ms.is_some(), retry_ms),
            ("limit.bytes", limit.bytes.is_some_and(|most| self.bytes.saturating_add(bytes) > most), None),
            ("limit.wall_time", wall.is_some_and(|most| self.wall_ms >= most), None),
        ];
        let passed = parts.into_iter().filter(|(_, is_reached, _)| *is_reached);
        passed
            .map(|(rule, _, retry_ms)| Reached {
                rule,
                counted: Some(limit.counted.clone()),
                retry_ms,
                mode: limit.mode,
            })
            .collect()
    }

    /// How long until the rate lets another call through; `None` where it does now. A clock that was set back makes
    /// it longer, and lets nothing through.
    fn retry_ms(&self, rate: Rate, now: Millis) -> Option<Millis> {
        let window = Millis::try_from(rate.window.as_millis()).unwrap_or(Millis::MAX);
        let begins = now.saturating_sub(window);
        let inside = self.times.iter().filter(|at| **at > begins).count();
        let most = usize::try_from(rate.calls).unwrap_or(usize::MAX);
        let over = (inside + 1).checked_sub(most).filter(|over| *over > 0)?;
        // The call whose place this one would take.
        let leaves = self.times.iter().filter(|at| **at > begins).nth(over - 1)?;
        Some(leaves.saturating_add(window).saturating_sub(now).max(1))
    }

    fn count(&mut self, rates: impl Iterator<Item = Rate>, bytes: u64, now: Millis) {
        self.calls = self.calls.saturating_add(1);
        self.bytes = self.bytes.saturating_add(bytes);
        self.seen_ms = now;
        let (mut longest, mut most) = (0, 0);
        for rate in rates {
            longest = longest.max(Millis::try_from(rate.window.as_millis()).unwrap_or(Millis::MAX));
            most = most.max(usize::try_from(rate.calls).unwrap_or(usize::MAX));
        }
        if most == 0 {
            return;
        }
        self.times.push_back(now);
        while self.times.front().is_some_and(|at| *at <= now.saturating_sub(longest)) || self.times.len() > most {
            self.times.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOSE: Whose<'static> = Whose { session: "s", task: "t" };

    fn limit(counted: Counted) -> Limit {
        Limit { counted, calls: None, rate: None, bytes: None, wall_time: None, mode: Mode::Enforce }
    }

    fn rule(answer: Result<Vec<Reached>, Reached>) -> Option<&'static str> {
        answer.err().map(|reached| reached.rule)
    }

    #[test]
    fn a_window_slides_and_says_when_there_is_room() {
        let meters = Meters::default();
        let rate = Rate { calls: 2, window: Duration::from_mins(1) };
        let limits = [Limit { rate: Some(rate), ..limit(Counted::Session) }];
        let admit = |now| meters.admit(&limits, WHOSE, 0, now);
        assert!(admit(0).is_ok() && admit(20_000).is_ok());
        assert_eq!(admit(30_000).unwrap_err().retry_ms, Some(30_000));
        assert!(admit(60_000).is_ok(), "the first is a minute ago");
        assert_eq!(admit(60_001).unwrap_err().retry_ms, Some(19_999));
        assert_eq!(rule(admit(10_000)), Some("limit.rate"), "a clock that is set back lets nothing through");
    }

    #[test]
    fn what_is_refused_by_one_limit_counts_in_none() {
        let meters = Meters::default();
        let tool = Limit { calls: Some(1), ..limit(Counted::Tool("a".into())) };
        let session = Limit { calls: Some(2), ..limit(Counted::Session) };
        let both = [session.clone(), tool];
        assert!(meters.admit(&both, WHOSE, 0, 1).is_ok());
        assert_eq!(rule(meters.admit(&both, WHOSE, 0, 2)), Some("limit.calls"));
        assert!(meters.admit(std::slice::from_ref(&session), WHOSE, 0, 3).is_ok(), "the refused call took no place");
        assert_eq!(rule(meters.admit(&[session], WHOSE, 0, 4)), Some("limit.calls"));
    }

    #[test]
    fn arguments_and_results_use_up_bytes_and_runs_use_up_time() {
        let meters = Meters::default();
        let limits = [Limit { bytes: Some(100), wall_time: Some(Duration::from_secs(1)), ..limit(Counted::Session) }];
        assert!(meters.admit(&limits, WHOSE, 60, 1).is_ok());
        assert_eq!(rule(meters.admit(&limits, WHOSE, 41, 2)), Some("limit.bytes"));
        meters.add(&limits, WHOSE, 40, Duration::from_millis(999));
        assert_eq!(rule(meters.admit(&limits, WHOSE, 1, 3)), Some("limit.bytes"));
        assert!(meters.admit(&limits, WHOSE, 0, 4).is_ok());
        meters.add(&limits, WHOSE, 0, Duration::from_millis(1));
        assert_eq!(rule(meters.admit(&limits, WHOSE, 0, 5)), Some("limit.wall_time"));
    }

    #[test]
    fn a_task_has_its_own_count_and_a_session_that_of_all() {
        let meters = Meters::default();
        let limits = [Limit { calls: Some(1), ..limit(Counted::Task("look".into())) }];
        assert!(meters.admit(&limits, WHOSE, 0, 1).is_ok());
        assert!(meters.admit(&limits, Whose { task: "u", ..WHOSE }, 0, 1).is_ok());
        assert_eq!(rule(meters.admit(&limits, WHOSE, 0, 1)), Some("limit.calls"));
    }

    #[test]
    fn two_policies_with_the_same_limits_count_a_call_once() {
        let meters = Meters::default();
        let of = |counted| Limit { calls: Some(4), bytes: Some(40), ..limit(counted) };
        let file = [of(Counted::Session), of(Counted::Tool("a".into()))];
        let both = [file.clone(), file].concat();
        for now in 0..4 {
            assert!(meters.admit(&both, WHOSE, 5, now).is_ok(), "{now}");
            meters.add(&both, WHOSE, 5, Duration::ZERO);
        }
        assert_eq!(rule(meters.admit(&both, WHOSE, 0, 5)), Some("limit.calls"));
    }

    #[test]
    fn a_limit_that_is_not_enforced_counts_and_tells() {
        let meters = Meters::default();
        let limits = [Limit { calls: Some(0), mode: Mode::Observe, ..limit(Counted::Session) }];
        assert_eq!(meters.admit(&limits, WHOSE, 0, 1).unwrap().len(), 1);
    }

    #[test]
    fn counters_are_bounded_and_what_cannot_be_counted_is_refused() {
        let meters = Meters::default();
        let limits = [Limit { calls: Some(9), ..limit(Counted::Session) }];
        for session in 0..MOST {
            let session = session.to_string();
            assert!(meters.admit(&limits, Whose { session: &session, task: "t" }, 0, 1).is_ok());
        }
        let another = Whose { session: "another", task: "t" };
        assert_eq!(rule(meters.admit(&limits, another, 0, 2)), Some("limit.not_counted"));
        assert!(meters.admit(&limits, another, 0, IDLE_MS + 1).is_ok(), "those idle for a day make room");
    }
}
