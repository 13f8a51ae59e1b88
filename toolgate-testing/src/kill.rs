//! Deaths of whole processes: a test runs itself again in a process of its own, has that killed at a
//! named place or at any moment, and looks at what is left. SIGKILL only: no power loss, no torn write.
//!
//! ```no_run
//! use toolgate_core::gate::FaultPoint;
//! use toolgate_testing::kill::{Again, KillAt, told};
//!
//! # fn main() -> std::io::Result<()> {
//! // In a test called `a_death_is_told`:
//! if told("PLACE").is_some() {
//!     let _faults = KillAt::new(FaultPoint::Claimed); // for `GateBuilder::faults`; then call a tool
//!     return Ok(());
//! }
//! let end = Again::test("a_death_is_told")?.tell("PLACE", "claimed").to_its_end()?;
//! assert!(end.killed); // now build a gate on the same file, and ask it
//! # Ok(())
//! # }
//! ```

use std::ffi::{OsStr, OsString};
use std::fs::{self, OpenOptions};
use std::io::{self, BufRead as _, BufReader, ErrorKind, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, getpid, kill_process};
use toolgate_core::gate::{FaultPoint, Faults};
use toolgate_core::tool::BoxFuture;

/// What a child says begins like this; everything else it writes is the test harness's.
const MARK: &str = "toolgate-kill: ";
const READY: &str = "ready";
/// SIGKILL's number, the same on every system this runs on.
const KILL: i32 = 9;

/// [`Faults`] that kill this process, with SIGKILL, when a call passes a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KillAt {
    place: FaultPoint,
}

impl KillAt {
    /// Dies at this place.
    pub const fn new(place: FaultPoint) -> Self {
        Self { place }
    }
}

impl Faults for KillAt {
    fn at<'a>(&'a self, point: FaultPoint, _call_id: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            if point == self.place {
                if kill_process(getpid(), Signal::KILL).is_err() {
                    std::process::abort();
                }
                // Nothing after this place may happen, even if the signal takes its time.
                std::future::pending::<()>().await;
            }
        })
    }
}

/// How a child ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// Whether by SIGKILL.
    pub killed: bool,
    /// Its exit code, where it ended by itself.
    pub code: Option<i32>,
    /// What it said, in order.
    pub said: Vec<String>,
}

/// One test of the running test binary, to be run again in a process of its own.
#[derive(Debug)]
#[must_use = "nothing runs before `to_its_end` or `killed_after`"]
pub struct Again {
    command: Command,
}

fn variable(name: &str) -> String {
    format!("TOOLGATE_KILL_{name}")
}

/// What this process was told under `name` by the one that started it; `None` in a test that was not
/// started by [`Again`].
pub fn told(name: &str) -> Option<OsString> {
    std::env::var_os(variable(name))
}

/// Says a line to the process that started this one.
///
/// # Errors
/// Those of the standard output.
pub fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    // The harness may have left a line open.
    writeln!(out, "\n{MARK}{line}")?;
    out.flush()
}

/// Says that all is prepared: [`Again::killed_after`] counts from here.
///
/// # Errors
/// Those of the standard output.
pub fn ready() -> io::Result<()> {
    say(READY)
}

impl Again {
    /// The test of this name, with its modules: `kills::a_child`.
    ///
    /// # Errors
    /// When the running program can't be found.
    pub fn test(name: &str) -> io::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args([name, "--exact", "--nocapture", "--test-threads=1"]);
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        Ok(Self { command })
    }

    /// Tells it something; it asks with [`told`].
    pub fn tell(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(variable(name), value);
        self
    }

    /// Runs it until it ends or kills itself.
    ///
    /// # Errors
    /// When it can't be started or waited for.
    pub fn to_its_end(mut self) -> io::Result<End> {
        let mut child = self.command.spawn()?;
        let said = Said::of(&mut child)?.collect();
        finish(child, said)
    }

    /// Runs it until it has said `line` so many times, and tells it to end, with SIGTERM; then until it has ended by
    /// itself.
    ///
    /// # Errors
    /// When it can't be started, told or waited for, or ends without saying it so often.
    pub fn terminated_after(mut self, line: &str, times: usize) -> io::Result<End> {
        let mut child = self.command.spawn()?;
        let mut lines = Said::of(&mut child)?;
        let mut said: Vec<String> = Vec::new();
        while said.iter().filter(|one| *one == line).count() < times {
            let Some(next) = lines.next() else {
                child.wait()?;
                return Err(io::Error::new(ErrorKind::UnexpectedEof, "the child ended before"));
            };
            said.push(next);
        }
        kill_process(Pid::from_child(&child), Signal::TERM)?;
        said.extend(lines);
        finish(child, said)
    }

    /// Runs it until it has said `line`, and stops it there, with SIGSTOP; goes on with it after `meanwhile`, then until
    /// it has ended by itself. Where `meanwhile` panics, it is killed.
    ///
    /// # Errors
    /// When it can't be started, stopped or waited for, or ends without saying it.
    pub fn stopped_after(mut self, line: &str, meanwhile: impl FnOnce()) -> io::Result<End> {
        let mut child = KilledOnDrop(Some(self.command.spawn()?));
        let mut lines = Said::of(child.get()?)?;
        let mut said = Vec::new();
        while said.last().is_none_or(|last| last != line) {
            let early = || io::Error::new(ErrorKind::UnexpectedEof, "the child ended before");
            said.push(lines.next().ok_or_else(early)?);
        }
        kill_process(Pid::from_child(child.get()?), Signal::STOP)?;
        meanwhile();
        kill_process(Pid::from_child(child.get()?), Signal::CONT)?;
        said.extend(lines);
        let child = child.0.take().ok_or_else(gone)?;
        finish(child, said)
    }

    /// Runs it until it has said [`ready`], and kills it after `wait` from then. It may have ended by
    /// itself before.
    ///
    /// # Errors
    /// When it can't be started, killed or waited for, or ends without saying that it is ready.
    pub fn killed_after(mut self, wait: Duration) -> io::Result<End> {
        let mut child = self.command.spawn()?;
        let mut lines = Said::of(&mut child)?;
        if !lines.any(|line| line == READY) {
            child.wait()?;
            return Err(io::Error::new(ErrorKind::UnexpectedEof, "the child was never ready"));
        }
        std::thread::sleep(wait);
        child.kill()?;
        let said = lines.collect();
        finish(child, said)
    }
}

/// A child that doesn't outlive who looks after it: one that is stopped would stay for ever.
struct KilledOnDrop(Option<Child>);

impl KilledOnDrop {
    fn get(&mut self) -> io::Result<&mut Child> {
        self.0.as_mut().ok_or_else(gone)
    }
}

impl Drop for KilledOnDrop {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn gone() -> io::Error {
    io::Error::other("the child is gone")
}

fn finish(mut child: Child, said: Vec<String>) -> io::Result<End> {
    let status = child.wait()?;
    Ok(End { killed: status.signal() == Some(KILL), code: status.code(), said })
}

/// The marked lines of a child's output.
struct Said(io::Lines<BufReader<std::process::ChildStdout>>);

impl Said {
    fn of(child: &mut Child) -> io::Result<Self> {
        let out = child.stdout.take().ok_or_else(|| io::Error::other("the child has no output"))?;
        Ok(Self(BufReader::new(out).lines()))
    }
}

impl Iterator for Said {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        loop {
            let line = self.0.next()?.ok()?;
            if let Some(said) = line.strip_prefix(MARK) {
                return Some(said.to_owned());
            }
        }
    }
}

/// What happened to the world, in a file that no store knows of: a line for each effect, on the
/// medium before [`Effects::happen`] returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effects {
    path: PathBuf,
}

impl Effects {
    /// Effects in this file, which is made by the first.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Has an effect. Neither text may hold a tab or a line break; `note` may be empty.
    ///
    /// # Errors
    /// Those of the file.
    pub fn happen(&self, operation: &str, note: &str) -> io::Result<()> {
        let mut file = OpenOptions::new().append(true).create(true).open(&self.path)?;
        // One write, so that a process that dies leaves a whole line or none.
        file.write_all(format!("{operation}\t{note}\n").as_bytes())?;
        file.sync_data()
    }

    /// The notes of each effect of the operation, in order.
    ///
    /// # Errors
    /// Those of the file, and a line that isn't whole. No file means no effect.
    pub fn of(&self, operation: &str) -> io::Result<Vec<String>> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut notes = Vec::new();
        for line in text.split_inclusive('\n') {
            let parts = line.strip_suffix('\n').and_then(|line| line.split_once('\t'));
            let (name, note) = parts.ok_or_else(|| io::Error::new(ErrorKind::InvalidData, "a torn line"))?;
            if name == operation {
                notes.push(note.to_owned());
            }
        }
        Ok(notes)
    }
}
