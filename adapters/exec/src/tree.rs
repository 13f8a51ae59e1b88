//! The descendants of this process, as `/proc` tells them, and their end. This process is their subreaper: whoever
//! leaves its group, its session or its parent stays a descendant.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use rustix::fs::{CWD, Dir, Mode, OFlags, openat};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitIdOptions, WaitOptions, kill_process, kill_process_group, pidfd_open,
    pidfd_send_signal, waitid, waitpid,
};

use crate::cgroup::Cgroup;
use crate::wire::Exit;

/// How long killed processes may take to be gone: some wait for a disk.
const KILLED_MOST: Duration = Duration::from_secs(10);
const TERM_STEP: Duration = Duration::from_millis(10);
const KILL_STEP: Duration = Duration::from_millis(2);
/// How often the children are killed between two looks at all processes.
const CHASE: usize = 500;

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
    /// What ends all of them at once, where there is one.
    cgroup: Option<Cgroup>,
    /// `/proc`, opened before the program was there: a program may take from this process the right to open files.
    proc: Dir,
}

/// What one look has found.
#[derive(Debug, Default)]
struct Look {
    alive: Vec<Process>,
    /// Whether one was reaped: what it had started may have been missed.
    has_reaped: bool,
}

/// The list of processes, to be held open.
pub(crate) fn hold_proc() -> io::Result<Dir> {
    Ok(Dir::new(openat(CWD, "/proc", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?)?)
}

impl Tree {
    pub(crate) fn new(program: Pid, proc: Dir, cgroup: Option<Cgroup>) -> Self {
        Self { own: rustix::process::getpid().as_raw_nonzero().get(), program, cgroup, proc }
    }

    /// How the program ended; it stays unreaped.
    pub(crate) fn exit(&self) -> Option<Exit> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(rustix::process::WaitId::Pid(self.program), options).ok()??;
        status.exit_status().map(Exit::Code).or_else(|| status.terminating_signal().map(Exit::Signal))
    }

    /// How many there are, the program among them; those that have ended are reaped. Quick and not exact: for a limit
    /// that is looked at often.
    pub(crate) fn count(&self) -> io::Result<usize> {
        let mut count = 0;
        let mut open = vec![self.own];
        while let Some(id) = open.pop() {
            let Some(children) = children(id)? else { return Ok(self.look()?.alive.len()) };
            for child in children {
                if id == self.own && self.is_reaped(child) {
                    continue;
                }
                count += 1;
                open.push(child);
            }
        }
        Ok(count)
    }

    /// Those that run, after those that have ended were reaped. A `/proc` that can't be read is an error, and never
    /// nobody.
    fn look(&self) -> io::Result<Look> {
        let mut by_parent: HashMap<i32, Vec<Process>> = HashMap::new();
        for process in all()? {
            by_parent.entry(process.parent).or_default().push(process);
        }
        let mut look = Look::default();
        let mut open = vec![self.own];
        while let Some(id) = open.pop() {
            for process in by_parent.remove(&id).unwrap_or_default() {
                open.push(process.id);
                if !process.is_zombie {
                    look.alive.push(process);
                } else if process.parent == self.own && self.is_reaped(process.id) {
                    look.has_reaped = true;
                } else if !self.has_ended(&process) {
                    look.alive.push(process);
                }
            }
        }
        Ok(look)
    }

    /// Reaps a child that has ended, if it isn't the program; whether it did.
    fn is_reaped(&self, child: i32) -> bool {
        let Some(id) = Pid::from_raw(child).filter(|id| *id != self.program) else { return false };
        matches!(waitpid(Some(id), WaitOptions::NOHANG), Ok(Some(_)))
    }

    /// Whether a zombie is gone for good. The first thread of a process may end before the others, so that a zombie is
    /// only gone when its parent can have it; that of another parent comes to this process when that one ends.
    fn has_ended(&self, zombie: &Process) -> bool {
        match Pid::from_raw(zombie.id) {
            Some(id) if id == self.program => self.exit().is_some(),
            Some(id) if zombie.parent == self.own => {
                matches!(waitpid(Some(id), WaitOptions::NOHANG), Err(Errno::CHILD))
            }
            _ => zombie.tasks <= 1,
        }
    }

    /// Ends all of them: TERM, `grace`, KILL. How many there were, and how many are left.
    pub(crate) fn end(&mut self, grace: Duration) -> (usize, usize) {
        let asked_until = Instant::now() + grace;
        let killed_until = asked_until + KILLED_MOST;
        let mut asked = HashSet::new();
        let mut met = HashSet::new();
        loop {
            let Ok(look) = self.look() else { return self.end_unseen(met.len()) };
            met.extend(look.alive.iter().map(|process| (process.id, process.started)));
            if look.alive.is_empty() && !look.has_reaped {
                return (met.len(), 0);
            }
            if Instant::now() > killed_until {
                return (met.len(), look.alive.len().max(1));
            }
            if Instant::now() < asked_until {
                for process in look.alive {
                    if asked.insert((process.id, process.started)) {
                        process.signal(&[Signal::TERM, Signal::CONT]);
                    }
                }
                thread::sleep(TERM_STEP);
                continue;
            }
            self.end_groups();
            look.alive.iter().for_each(|process| process.signal(&[Signal::KILL]));
            self.chase();
            thread::sleep(KILL_STEP);
        }
    }

    /// One call for all of a group: what it starts meanwhile doesn't escape.
    fn end_groups(&self) {
        if let Some(cgroup) = &self.cgroup {
            cgroup.end();
        }
        let _ = kill_process_group(self.program, Signal::KILL);
    }

    /// Kills the children of this process again and again, without a look at all others in between: one that ends as soon
    /// as it has started the next, so that the next comes to this process, is met before it starts one more.
    fn chase(&self) {
        for _ in 0..CHASE {
            let Ok(list) = fs::read_to_string("/proc/thread-self/children") else { return };
            let children = list.split_ascii_whitespace().filter_map(|id| id.parse::<i32>().ok());
            let alive = children.filter(|child| !self.is_reaped(*child)).filter_map(Pid::from_raw);
            let mut is_empty = true;
            for child in alive.filter(|child| *child != self.program) {
                // It is not reaped, so that its number is nobody else's.
                let _ = kill_process(child, Signal::KILL);
                is_empty = false;
            }
            if is_empty {
                return;
            }
        }
    }

    /// Kills all of them without opening a file: each child of this process, and what comes to it when those end.
    fn end_unseen(&mut self, met: usize) -> (usize, usize) {
        let killed_until = Instant::now() + KILLED_MOST;
        let mut killed = HashSet::new();
        loop {
            self.end_groups();
            let Ok((alive, has_reaped)) = self.children_by_wait() else { return (met.max(killed.len()), 1) };
            for child in &alive {
                // It is not reaped, so that its number is nobody else's.
                let _ = kill_process(*child, Signal::KILL);
            }
            killed.extend(alive.iter().copied());
            if alive.is_empty() && !has_reaped {
                return (met.max(killed.len()), 0);
            }
            if Instant::now() > killed_until {
                return (met.max(killed.len()), alive.len().max(1));
            }
            thread::sleep(KILL_STEP);
        }
    }

    /// The children that run, and whether others were reaped.
    fn children_by_wait(&mut self) -> io::Result<(Vec<Pid>, bool)> {
        let (mut alive, mut has_reaped) = (Vec::new(), false);
        self.proc.rewind();
        while let Some(entry) = self.proc.read() {
            let entry = entry?;
            let Some(id) = entry.file_name().to_str().ok().and_then(|name| name.parse().ok()) else { continue };
            if self.is_reaped(id) {
                has_reaped = true;
                continue;
            }
            let Some(id) = Pid::from_raw(id) else { continue };
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            // Those that aren't children are an error.
            if matches!(waitid(rustix::process::WaitId::Pid(id), options), Ok(None)) {
                alive.push(id);
            }
        }
        Ok((alive, has_reaped))
    }
}

impl Process {
    /// Signals this very process, and never one that has its number by now.
    fn signal(&self, signals: &[Signal]) {
        let Some(id) = Pid::from_raw(self.id) else { return };
        let Ok(held) = pidfd_open(id, PidfdFlags::empty()) else { return };
        if read(self.id).ok().flatten().is_some_and(|now| now.started == self.started) {
            for signal in signals {
                // It may have ended.
                let _ = pidfd_send_signal(&held, *signal);
            }
        }
    }
}

/// The children of all threads of a process; `None` where the kernel doesn't tell.
fn children(id: i32) -> io::Result<Option<Vec<i32>>> {
    let mut found = Vec::new();
    let Some(threads) = if_there(fs::read_dir(format!("/proc/{id}/task")))? else { return Ok(Some(found)) };
    for task in threads {
        let Some(task) = if_there(task)? else { continue };
        match if_there(fs::read_to_string(task.path().join("children")))? {
            Some(list) => found.extend(list.split_ascii_whitespace().filter_map(|id| id.parse::<i32>().ok())),
            // It has ended, unless the file isn't there at all.
            None if fs::exists("/proc/thread-self/children")? => {}
            None => return Ok(None),
        }
    }
    Ok(Some(found))
}

/// `None` of a process that has ended.
fn if_there<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) if Errno::from_io_error(&error) == Some(Errno::SRCH) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Tasks of all processes that belong to this user.
pub(crate) fn tasks_of_user() -> io::Result<u64> {
    use std::os::unix::fs::MetadataExt as _;
    let own = rustix::process::getuid().as_raw();
    let is_own =
        |process: &Process| fs::metadata(format!("/proc/{}", process.id)).is_ok_and(|facts| facts.uid() == own);
    Ok(all()?.iter().filter(|process| is_own(process)).map(|process| process.tasks).sum())
}

fn all() -> io::Result<Vec<Process>> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc")? {
        let Some(id) = entry?.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
        found.extend(read(id)?);
    }
    Ok(found)
}

/// `None` where it has ended, or is hidden from this user and so none of the program's.
fn read(id: i32) -> io::Result<Option<Process>> {
    match if_there(fs::read(format!("/proc/{id}/stat"))) {
        Ok(bytes) => Ok(bytes.and_then(|bytes| parse(id, &String::from_utf8_lossy(&bytes)))),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(None),
        Err(error) => Err(error),
    }
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
        let own = read(rustix::process::getpid().as_raw_nonzero().get()).unwrap().unwrap();
        assert_eq!(own.parent, rustix::process::getppid().unwrap().as_raw_nonzero().get());
        assert!(all().unwrap().contains(&own) || own.tasks > 1);
    }
}
