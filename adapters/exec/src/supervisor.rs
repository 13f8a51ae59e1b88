//! The life of a supervisor: it starts one program, watches it, and ends every descendant when the program ends, its
//! time is over, or the host gives it up or dies. It is outside of the program's sandbox and session.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::fs::DirBuilderExt as _;
use std::os::unix::net::UnixStream;
use std::process::{Child, ExitCode};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::process::{Pid, PidfdFlags, getpid, getuid, pidfd_open, set_child_subreaper, setsid};

use crate::cgroup::Cgroup;
use crate::entry;
use crate::sandbox::Grant;
use crate::tree::{Tree, hold_proc, tasks_of_user};
use crate::wire::{self, Ended, Handles, How, Order, Said, VERSION};

/// How often the number of processes is looked at.
const TICK: Duration = Duration::from_millis(100);
/// How long the launcher may take to start the program.
const LAUNCH_MOST: Duration = Duration::from_secs(20);

pub(crate) fn live() -> ExitCode {
    match supervise() {
        Ok(()) => ExitCode::SUCCESS,
        // The host sees that nothing was said.
        Err(_) => ExitCode::FAILURE,
    }
}

fn supervise() -> io::Result<()> {
    let control = entry::control()?;
    // A terminal's signals are for the host.
    setsid()?;
    set_child_subreaper(Some(getpid()))?;
    wire::send(control.as_fd(), &Said::Hello { version: VERSION }, &[])?;
    let Some((order, handles)) = wire::receive::<Order>(control.as_fd())? else {
        return Ok(());
    };
    let handles = Handles::of(handles, order.held.len())?;
    let said = match Run::start(order, handles) {
        Ok(run) => {
            let group = run.program.as_raw_nonzero().get();
            // A host that is gone by now is noticed by `watch`.
            let _ = wire::send(control.as_fd(), &Said::Started { group }, &[]);
            Said::Ended(run.watch(&control))
        }
        Err(why) => Said::NotStarted { why },
    };
    wire::send(control.as_fd(), &said, &[])
}

/// A folder that only this run has, removed at its end.
#[derive(Debug)]
struct Temporary {
    path: String,
}

impl Temporary {
    fn make(parent: &str) -> io::Result<Self> {
        for count in 0..u16::MAX {
            let path = format!("{parent}/toolgate-run-{}-{count}", std::process::id());
            match DirBuilder::new().mode(0o700).create(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| Self { path }),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    fn hold(&self) -> io::Result<OwnedFd> {
        Ok(openat(
            CWD,
            &self.path,
            OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC,
            Mode::empty(),
        )?)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // What a program made unreadable for itself stays.
        let _ = fs::remove_dir_all(&self.path);
    }
}

struct Run {
    program: Pid,
    tree: Tree,
    /// Never waited for through this: the tree reaps.
    _child: Child,
    time: Duration,
    grace: Duration,
    most: Option<usize>,
    _temporary: Temporary,
}

impl Run {
    fn start(mut order: Order, mut handles: Handles) -> Result<Self, String> {
        let told = |what: &str, error: io::Error| format!("{what}: {error}");
        let temporary = Temporary::make(&order.temporary).map_err(|error| told("making its folder", error))?;
        handles.held.push(temporary.hold().map_err(|error| told("opening its folder", error))?);
        order.held.push(Grant::Write);
        if order.own_folder {
            handles.folder = temporary.hold().map_err(|error| told("opening its folder", error))?;
        }
        for name in ["HOME", "TMPDIR"] {
            if !order.environment.iter().any(|(given, _)| given == name) {
                order.environment.push((name.to_owned(), temporary.path.clone()));
            }
        }
        if !getuid().is_root() {
            let there = tasks_of_user().map_err(|error| told("reading /proc", error))?;
            order.tasks = order.limits.processes.map(|most| there + u64::from(most) + 1);
        }
        let proc = hold_proc().map_err(|error| told("opening /proc", error))?;
        let (ours, theirs) = UnixStream::pair().map_err(|error| told("a socket", error))?;
        ours.set_read_timeout(Some(LAUNCH_MOST)).map_err(|error| told("a socket", error))?;
        let child = entry::start_launcher(theirs.into()).map_err(|error| told("starting the launcher", error))?;
        let program = i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or("a process without a number")?;
        // Before it hears what it becomes, so that nothing of the program is outside. Many users may make none.
        let cgroup = Cgroup::with(program).ok();
        wire::send(ours.as_fd(), &order, &handles.in_order()).map_err(|error| told("the launcher", error))?;
        // From here on only the program and its children hold them.
        drop(handles);
        let mut run = Self {
            program,
            tree: Tree::new(program, proc, cgroup),
            _child: child,
            time: order.time,
            grace: order.grace,
            most: order.limits.processes.map(|most| most as usize),
            _temporary: temporary,
        };
        match run.launched(&ours) {
            Ok(()) => Ok(run),
            Err(why) => {
                run.tree.end(Duration::ZERO);
                Err(why)
            }
        }
    }

    /// Waits until the launcher has become the program: its end of the socket closes with that.
    fn launched(&self, socket: &UnixStream) -> Result<(), String> {
        let mut is_ready = false;
        loop {
            match wire::receive::<Said>(socket.as_fd()) {
                Ok(None) if is_ready => return Ok(()),
                Ok(None) => return Err("the launcher ended early".to_owned()),
                Ok(Some((Said::Started { .. }, _))) => is_ready = true,
                Ok(Some((Said::NotStarted { why }, _))) => return Err(why),
                Ok(Some(_)) => return Err("the launcher said something else".to_owned()),
                Err(error) => return Err(format!("the launcher: {error}")),
            }
        }
    }

    /// Until the program ends or has to; then until nothing of it is left.
    fn watch(self, control: &OwnedFd) -> Ended {
        let mut tree = self.tree;
        let until = Instant::now() + self.time;
        let held = pidfd_open(self.program, PidfdFlags::empty()).ok();
        let how = loop {
            if tree.exit().is_some() {
                break How::Exited;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break How::TimedOut;
            }
            match self.most.map(|most| tree.count().map(|count| count > most)) {
                None | Some(Ok(false)) => {}
                Some(Ok(true)) => break How::TooMany,
                Some(Err(_)) => break How::Unseen,
            }
            if is_given_up(control, held.as_ref(), left.min(TICK)) {
                break How::GivenUp;
            }
        };
        let grace = if matches!(how, How::TooMany | How::Unseen) { Duration::ZERO } else { self.grace };
        let (met, survivors) = tree.end(grace);
        let leftovers = if how == How::Exited { met } else { 0 };
        Ended { how, status: tree.exit(), leftovers, survivors }
    }
}

/// Waits at most `most` for the program's end; whether the host has said or closed anything meanwhile.
fn is_given_up(control: &OwnedFd, program: Option<&OwnedFd>, most: Duration) -> bool {
    let mut watched = vec![PollFd::new(control, PollFlags::IN)];
    watched.extend(program.map(|program| PollFd::new(program, PollFlags::IN)));
    let most = Timespec::try_from(most).unwrap_or(Timespec { tv_sec: 0, tv_nsec: 1_000_000 });
    // An interrupted wait is a short one.
    let _ = poll(&mut watched, Some(&most));
    watched.first().is_some_and(|control| !control.revents().is_empty())
}
