//! Starts the workers, kills and pauses them at random, and starts them again until all their work is done.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::chance::Chance;
use crate::plan::{Error, Plan};

/// More than these are no bad luck.
const MOST_REFUSED: u64 = 200;

/// What was done to the workers.
#[derive(Debug, Default)]
pub(crate) struct Disturbed {
    kills: u64,
    pauses: u64,
    /// Starts that ended by an error.
    refused: u64,
    took: Duration,
}

impl fmt::Display for Disturbed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kills, pauses, refused, took } = self;
        write!(f, "{kills} kills, {pauses} pauses, {refused} refused starts in {:.1} s", took.as_secs_f64())
    }
}

struct Workers<'p> {
    plan: &'p Plan,
    live: BTreeMap<usize, Child>,
    /// Until when a paused one sleeps.
    paused: BTreeMap<usize, Instant>,
    /// How far each was when it was started last.
    over: BTreeMap<usize, u64>,
}

pub(crate) fn drive(plan: &Plan) -> Result<Disturbed, Error> {
    std::fs::create_dir_all(&plan.place)?;
    let mut chance = Chance::new(plan.seed);
    let mut workers = Workers { plan, live: BTreeMap::new(), paused: BTreeMap::new(), over: BTreeMap::new() };
    let mut disturbed = Disturbed::default();
    let began = Instant::now();
    let done = workers.run(&mut chance, &mut disturbed);
    // Whatever became of the run, nobody is left behind.
    for child in workers.live.values_mut() {
        let _ = child.kill();
        let _ = child.wait();
    }
    done?;
    disturbed.took = began.elapsed();
    Ok(disturbed)
}

impl Workers<'_> {
    fn run(&mut self, chance: &mut Chance, disturbed: &mut Disturbed) -> Result<(), Error> {
        for number in 0..self.plan.processes {
            self.start(number)?;
        }
        while !self.live.is_empty() {
            thread::sleep(Duration::from_millis(10 + chance.below(80)));
            self.wake(Instant::now())?;
            self.bury(disturbed)?;
            let place = chance.below(self.live.len().max(1) as u64);
            let picked = self.live.keys().nth(usize::try_from(place).unwrap_or_default()).copied();
            let Some(picked) = picked.filter(|number| !self.paused.contains_key(number)) else { continue };
            // Some die before they have done anything; if all did, nothing would ever be done.
            if self.plan.over(picked).size() == self.over.get(&picked).copied() && !chance.one_in(8) {
                continue;
            }
            if chance.one_in(3) {
                self.signal(picked, Signal::STOP)?;
                self.paused.insert(picked, Instant::now() + Duration::from_millis(20 + chance.below(2_500)));
                disturbed.pauses += 1;
            } else {
                self.signal(picked, Signal::KILL)?;
                if let Some(mut child) = self.live.remove(&picked) {
                    child.wait()?;
                }
                self.start(picked)?;
                disturbed.kills += 1;
            }
        }
        Ok(())
    }

    fn start(&mut self, number: usize) -> io::Result<()> {
        self.over.extend(self.plan.over(number).size().map(|size| (number, size)));
        let child = Command::new(std::env::current_exe()?).args(self.plan.of_worker(number)).spawn()?;
        self.live.insert(number, child);
        Ok(())
    }

    fn signal(&self, number: usize, signal: Signal) -> io::Result<()> {
        let Some(child) = self.live.get(&number) else { return Ok(()) };
        // A child that has not been waited for keeps its number.
        Ok(kill_process(Pid::from_child(child), signal)?)
    }

    fn wake(&mut self, now: Instant) -> io::Result<()> {
        let due: Vec<usize> =
            self.paused.iter().filter(|(_, until)| **until <= now).map(|(number, _)| *number).collect();
        for number in due {
            self.paused.remove(&number);
            self.signal(number, Signal::CONT)?;
        }
        Ok(())
    }

    /// Takes away those that have done their work.
    fn bury(&mut self, disturbed: &mut Disturbed) -> Result<(), Error> {
        let mut ended = Vec::new();
        for (number, child) in &mut self.live {
            if let Some(status) = child.try_wait()? {
                ended.push((*number, status));
            }
        }
        for (number, status) in ended {
            self.live.remove(&number);
            self.paused.remove(&number);
            if !status.success() {
                // Where one is paused that holds the store, another is refused; it comes again.
                disturbed.refused += 1;
                if disturbed.refused > MOST_REFUSED {
                    return Err(format!("worker {number} ended with {status}").into());
                }
                self.start(number)?;
            }
        }
        Ok(())
    }
}
