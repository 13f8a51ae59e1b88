//! Ratios instead of times: all cases of a table are run in turn, many rounds of it, and the medians are
//! set against one of them. Not a judge: nothing here fails because a machine is slow.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// How a case is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// What this thread has computed; deaf to other programs.
    ThreadCpu,
    /// The clock on the wall, for what waits.
    Wall,
}

impl Clock {
    /// What `work` took.
    pub fn time(self, work: impl FnOnce()) -> Duration {
        match self {
            Self::ThreadCpu => {
                let before = thread_cpu();
                work();
                thread_cpu().saturating_sub(before)
            }
            Self::Wall => {
                let before = Instant::now();
                work();
                before.elapsed()
            }
        }
    }
}

fn thread_cpu() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or_default())
}

/// One line of a table.
pub struct Case<'a> {
    name: String,
    operations: u32,
    work: Box<dyn FnMut() + 'a>,
    times: Vec<Duration>,
}

impl std::fmt::Debug for Case<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Case").field("name", &self.name).field("times", &self.times).finish_non_exhaustive()
    }
}

impl<'a> Case<'a> {
    /// A case whose `work` does so many operations each time it is called.
    pub fn new(name: impl Into<String>, operations: u32, work: impl FnMut() + 'a) -> Self {
        Self { name: name.into(), operations, work: Box::new(work), times: Vec::new() }
    }

    fn median(&self) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or_default() / self.operations.max(1)
    }
}

/// Runs the cases in turn, `rounds` times after one that doesn't count, and gives the median of each
/// one's operation.
pub fn medians(clock: Clock, rounds: usize, cases: &mut [Case<'_>]) -> Vec<Duration> {
    for round in 0..=rounds {
        for case in &mut *cases {
            let took = clock.time(&mut case.work);
            if round > 0 {
                case.times.push(took);
            }
        }
    }
    cases.iter().map(Case::median).collect()
}

/// [`medians`], printed, each beside its ratio to that of the first case.
pub fn print_ratios(title: &str, clock: Clock, rounds: usize, cases: &mut [Case<'_>]) {
    let medians = medians(clock, rounds, cases);
    println!("\n{title} (medians of {rounds} rounds)");
    let first = medians.first().copied().unwrap_or_default();
    for (case, median) in cases.iter().zip(medians) {
        let ratio = median.as_secs_f64() / first.as_secs_f64();
        println!("  {:<58}{:>10.2} us{ratio:>9.2} x", case.name, median.as_secs_f64() * 1e6);
    }
}
