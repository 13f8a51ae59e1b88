//! The descendants of this process, as `/proc` tells them, and their end. This process is their subreaper: whoever
//! leaves its group, its session or its parent stays a descendant.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};
use std::{fs, thread};

use rustix::process::{
    Pid, PidfdFlags, Signal, WaitIdOptions, WaitOptions, kill_process_group, pidfd_open, pidfd_send_signal, waitid,
    waitpid,
};

use crate::wire::Exit;

/// How long killed processes may take to be gone: some wait for a disk.
const KILLED_MOST: Duration = Duration::from_secs(10);
const TERM_STEP: Duration = Duration::from_millis(10);
const KILL_STEP: Duration = Duration::from_millis(2);

/// One process as it was when it was looked at. A number is used again, number and start together are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Process {
    id: i32,
    parent: i32,
    started: u64,
    is_zombie: bool,
    tasks: u64,
}

/// The descendants of this process. The first of them, the program, is not reaped before the end, so that the number of
/// its group belongs to nobody else.
#[derive(Debug)]
pub(crate) struct Tree {
    own: i32,
    program: Pid,
}

impl Tree {
    pub(crate) fn new(program: Pid) -> Self {
        Self { own: rustix::process::getpid().as_raw_nonzero().get(), program }
    }

    /// How the program ended; it stays unreaped.
    pub(crate) fn exit(&self) -> Option<Exit> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(rustix::process::WaitId::Pid(self.program), options).ok()??;
        status.exit_status().map(Exit::Code).or_else(|| status.terminating_signal().map(Exit::Signal))
    }

    /// How many there are, the program among them. Quick and not exact: for a limit that is looked at often.
    pub(crate) fn count(&self) -> usize {
        let mut count = 0;
        let mut open = vec![self.own];
        while let Some(id) = open.pop() {
            let Some(children) = children(id) else { return self.alive().len() };
            count += children.len();
            open.extend(children);
        }
        count
    }

    /// Those that run, after those that have ended were reaped.
    fn alive(&self) -> Vec<Process> {
        let all = all();
        let mut by_parent: HashMap<i32, Vec<Process>> = HashMap::new();
        for process in all {
            by_parent.entry(process.parent).or_default().push(process);
        }
        let mut found = Vec::new();
        let mut open = vec![self.own];
        while let Some(id) = open.pop() {
            for process in by_parent.remove(&id).unwrap_or_default() {
                open.push(process.id);
                if !self.has_ended(&process) {
                    found.push(process);
                }
            }
        }
        found
    }

    /// Whether it is gone for good. The first thread of a process may end before the others, so that a zombie is only
    /// gone when its parent can have it; that of another parent comes to this process when that one ends.
    fn has_ended(&self, process: &Process) -> bool {
        if !process.is_zombie {
            return false;
        }
        match Pid::from_raw(process.id) {
            Some(id) if id == self.program => self.exit().is_some(),
            Some(id) if process.parent == self.own => !matches!(waitpid(Some(id), WaitOptions::NOHANG), Ok(None)),
            _ => process.tasks <= 1,
        }
    }

    /// Ends all of them: TERM, `grace`, KILL. How many there were, and how many are left.
    pub(crate) fn end(&self, grace: Duration) -> (usize, usize) {
        let asked_until = Instant::now() + grace;
        let killed_until = asked_until + KILLED_MOST;
        let mut asked = HashSet::new();
        let mut met = HashSet::new();
        loop {
            let alive = self.alive();
            met.extend(alive.iter().map(|process| (process.id, process.started)));
            if alive.is_empty() || Instant::now() > killed_until {
                return (met.len(), alive.len());
            }
            if Instant::now() < asked_until {
                for process in alive {
                    if asked.insert((process.id, process.started)) {
                        process.signal(&[Signal::TERM, Signal::CONT]);
                    }
                }
                thread::sleep(TERM_STEP);
                continue;
            }
            // One call for all of the first group: what it starts meanwhile doesn't escape.
            let _ = kill_process_group(self.program, Signal::KILL);
            alive.iter().for_each(|process| process.signal(&[Signal::KILL]));
            thread::sleep(KILL_STEP);
        }
    }
}

impl Process {
    /// Signals this very process, and never one that has its number by now.
    fn signal(&self, signals: &[Signal]) {
        let Some(id) = Pid::from_raw(self.id) else { return };
        let Ok(held) = pidfd_open(id, PidfdFlags::empty()) else { return };
        if read(self.id).is_some_and(|now| now.started == self.started) {
            for signal in signals {
                // It may have ended.
                let _ = pidfd_send_signal(&held, *signal);
            }
        }
    }
}

/// The children of all threads of a process; `None` where the kernel doesn't tell.
fn children(id: i32) -> Option<Vec<i32>> {
    let mut found = Vec::new();
    let Ok(threads) = fs::read_dir(format!("/proc/{id}/task")) else {
        return Some(found);
    };
    for task in threads.flatten() {
        match fs::read_to_string(task.path().join("children")) {
            Ok(list) => found.extend(list.split_ascii_whitespace().filter_map(|id| id.parse::<i32>().ok())),
            // It has ended, unless the file isn't there at all.
            Err(_) if fs::exists("/proc/thread-self/children").unwrap_or(false) => {}
            Err(_) => return None,
        }
    }
    Some(found)
}

/// Tasks of all processes that belong to this user.
pub(crate) fn tasks_of_user() -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    let own = rustix::process::getuid().as_raw();
    let is_own =
        |process: &Process| fs::metadata(format!("/proc/{}", process.id)).is_ok_and(|facts| facts.uid() == own);
    all().iter().filter(|process| is_own(process)).map(|process| process.tasks).sum()
}

fn all() -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let ids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    ids.filter_map(read).collect()
}

fn read(id: i32) -> Option<Process> {
    let bytes = fs::read(format!("/proc/{id}/stat")).ok()?;
    parse(id, &String::from_utf8_lossy(&bytes))
}

/// Reads a line of `/proc/<id>/stat`. The name in parentheses may hold anything, parentheses too.
fn parse(id: i32, line: &str) -> Option<Process> {
    let (_, rest) = line.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
    Some(Process {
        id,
        parent: fields.get(1)?.parse().ok()?,
        started: number(19)?,
        is_zombie: matches!(*fields.first()?, "Z" | "X"),
        tasks: number(17)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_not_pass_for_other_fields() {
        let line = "7 (x) Z 1 (y)) S 5 7 7 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 3 0 990 0 0 18446744073709551615";
        let expected = Process { id: 7, parent: 5, started: 990, is_zombie: false, tasks: 3 };
        assert_eq!(parse(7, line), Some(expected));
        assert_eq!(parse(7, "7 (sh"), None);
        assert_eq!(parse(7, "7 (sh) S 5"), None);
    }

    #[test]
    fn this_process_is_found_with_its_parent() {
        let own = read(rustix::process::getpid().as_raw_nonzero().get()).unwrap();
        assert_eq!(own.parent, rustix::process::getppid().unwrap().as_raw_nonzero().get());
        assert!(all().contains(&own) || own.tasks > 1);
    }
}
