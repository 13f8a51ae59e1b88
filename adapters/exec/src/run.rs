//! The host's side of one run: starts a supervisor, feeds and drains the program, and hears how it ended. Runs on a thread
//! of its own.

use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::Child;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, Signal, kill_process_group};
use toolgate_core::tool::{Cancellation, Context, ToolError};

use crate::entry;
use crate::fault::Fault;
use crate::output::{Keeper, Output, Status};
use crate::plan::Plan;
use crate::wire::{self, Ended, Handles, How, Said, VERSION};

/// How long a supervisor may take to say its first word.
const HELLO_MOST: Duration = Duration::from_secs(20);
/// How long a supervisor may take beyond the time and grace of its run, before it is taken for lost.
const BACKSTOP: Duration = Duration::from_secs(40);
/// How often a thread that nobody can wake looks whether the call was given up.
const TICK: Duration = Duration::from_millis(50);
const CHUNK: usize = 64 * 1024;
/// Chunks that are read after the end: more than a pipe holds.
const LAST_CHUNKS: usize = 32;
/// Characters of the error output that an operator is told of a run that was ended.
const TOLD: usize = 500;

/// How a run hears that nobody waits for it.
#[derive(Debug)]
pub(crate) struct Stop {
    /// Closed by the other side; `None` where only the call itself can be asked.
    closed: Option<UnixStream>,
    cancellation: Cancellation,
}

impl Stop {
    /// A stop that comes when what is returned beside it is dropped.
    pub(crate) fn pair(context: &Context) -> Result<(UnixStream, Self), ToolError> {
        let (keep, closed) = UnixStream::pair()
            .map_err(|error| Fault::NotStarted.error(context.has_effect_started(), error.to_string()))?;
        Ok((keep, Self { closed: Some(closed), cancellation: context.cancellation().clone() }))
    }

    /// A stop that is looked for now and then.
    pub(crate) fn polled(context: &Context) -> Self {
        Self { closed: None, cancellation: context.cancellation().clone() }
    }
}

/// The streams of a run, as far as they are open.
struct Streams {
    stdin: Option<OwnedFd>,
    input: Vec<u8>,
    written: usize,
    stdout: Option<OwnedFd>,
    stderr: Option<OwnedFd>,
    out: Keeper,
    err: Keeper,
}

/// What a wait found ready.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ready {
    Control,
    Stop,
    Stdin,
    Stdout,
    Stderr,
}

pub(crate) fn run(plan: &Plan, stop: &Stop) -> Result<Output, ToolError> {
    let begun = Instant::now();
    let failed = |error: io::Error| plan.error(Fault::NotStarted, error.to_string());
    let (mut streams, ends) = open(plan).map_err(failed)?;
    let mut supervisor = Supervisor::start(plan)?;
    plan.context.effect_starts()?;
    supervisor.order(plan, ends).map_err(failed)?;
    let said = supervisor.heard(plan, &mut streams, stop);
    streams.drain();
    let (out, err) = (streams.out.end(), streams.err.end());
    let duration = begun.elapsed();
    let ended = said.map_err(|(fault, why)| plan.error(fault, told(&why, &err.text())))?;
    log(plan, &ended, duration);
    let fault = match ended.how {
        _ if ended.survivors > 0 => Fault::Left,
        How::Exited => {
            return Ok(Output {
                status: Status::of(ended.status),
                stdout: out,
                stderr: err,
                duration,
                leftovers: ended.leftovers,
                not_enforced: plan.not_enforced.clone(),
            });
        }
        How::TimedOut => Fault::TimedOut,
        How::GivenUp => Fault::GivenUp,
        How::TooMany => Fault::TooMany,
        How::Unseen => Fault::Lost,
    };
    Err(plan.error(fault, told(&format!("after {duration:?}"), &err.text())))
}

fn told(why: &str, stderr: &str) -> String {
    let skip = stderr.chars().count().saturating_sub(TOLD);
    let end: String = stderr.chars().skip(skip).collect();
    if end.is_empty() { why.to_owned() } else { format!("{why}; its error output ended with: {end}") }
}

fn log(plan: &Plan, ended: &Ended, duration: Duration) {
    let (program, call) = (plan.order.name.as_str(), plan.context.call_id());
    if !plan.not_enforced.is_empty() {
        tracing::warn!(program, call, not_enforced = ?plan.not_enforced, "a program ran without a full sandbox");
    }
    if ended.survivors > 0 {
        tracing::error!(program, call, survivors = ended.survivors, "processes of a program could not be ended");
    }
    tracing::debug!(program, call, ?duration, how = ?ended.how, status = ?ended.status, "a program has ended");
}

/// The three streams, and the program's ends of them.
fn open(plan: &Plan) -> io::Result<(Streams, [OwnedFd; 3])> {
    let (stdin, their_stdin) = if plan.stdin.is_empty() {
        (None, std::fs::File::open("/dev/null")?.into())
    } else {
        let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
        (Some(unblocked(write)?), read)
    };
    let (stdout, their_stdout) = pipe_with(PipeFlags::CLOEXEC)?;
    let (stderr, their_stderr) = pipe_with(PipeFlags::CLOEXEC)?;
    let streams = Streams {
        stdin,
        input: plan.stdin.clone(),
        written: 0,
        stdout: Some(unblocked(stdout)?),
        stderr: Some(unblocked(stderr)?),
        out: Keeper::new(plan.output_limit),
        err: Keeper::new(plan.output_limit),
    };
    Ok((streams, [their_stdin, their_stdout, their_stderr]))
}

fn unblocked(fd: OwnedFd) -> io::Result<OwnedFd> {
    fcntl_setfl(&fd, fcntl_getfl(&fd)? | OFlags::NONBLOCK)?;
    Ok(fd)
}

impl Streams {
    fn serve(&mut self, ready: Ready) {
        match ready {
            Ready::Stdin => self.write(),
            Ready::Stdout => {
                read(&mut self.stdout, &mut self.out);
            }
            Ready::Stderr => {
                read(&mut self.stderr, &mut self.err);
            }
            Ready::Control | Ready::Stop => {}
        }
    }

    /// Writes what the program takes; one that closes its input wants no more.
    fn write(&mut self) {
        let (Some(stdin), Some(rest)) = (&self.stdin, self.input.get(self.written..)) else { return };
        match rustix::io::write(stdin, rest) {
            Ok(written) => self.written += written,
            Err(Errno::AGAIN | Errno::INTR) => return,
            Err(_) => self.written = self.input.len(),
        }
        if self.written >= self.input.len() {
            self.stdin = None;
        }
    }

    /// What is still in the pipes. Nobody of the run can write any more; whoever got hold of a pipe otherwise is not
    /// waited for.
    fn drain(&mut self) {
        for _ in 0..LAST_CHUNKS {
            let more = read(&mut self.stdout, &mut self.out);
            if !(read(&mut self.stderr, &mut self.err) || more) {
                return;
            }
        }
    }
}

/// Reads one chunk; whether there was one.
fn read(stream: &mut Option<OwnedFd>, keeper: &mut Keeper) -> bool {
    let Some(fd) = stream else { return false };
    let mut chunk = vec![0; CHUNK];
    match rustix::io::read(&*fd, chunk.as_mut_slice()) {
        Ok(0) => *stream = None,
        Ok(got) => {
            keeper.take(chunk.get(..got).unwrap_or_default());
            return true;
        }
        Err(Errno::AGAIN | Errno::INTR) => {}
        Err(_) => *stream = None,
    }
    false
}

/// The supervisor of one run. Dropping it ends the run: it sees the socket close.
struct Supervisor {
    process: Child,
    control: UnixStream,
    group: Option<Pid>,
}

impl Supervisor {
    fn start(plan: &Plan) -> Result<Self, ToolError> {
        let failed = |error: io::Error| plan.error(Fault::NotStarted, error.to_string());
        let (control, theirs) = UnixStream::pair().map_err(failed)?;
        let process = entry::start_supervisor(plan.supervisor.as_deref(), theirs.into()).map_err(failed)?;
        let mut supervisor = Self { process, control, group: None };
        supervisor.greeted().map_err(|why| plan.error(Fault::NotStarted, why))?;
        Ok(supervisor)
    }

    /// Says what to run, and hands over what it needs: the program's ends of its streams among it.
    fn order(&self, plan: &Plan, [stdin, stdout, stderr]: [OwnedFd; 3]) -> io::Result<()> {
        let held = plan.held.iter().map(OwnedFd::try_clone).collect::<io::Result<Vec<OwnedFd>>>()?;
        let (program, folder) = (plan.program.try_clone()?, plan.folder.try_clone()?);
        let handles = Handles { stdin, stdout, stderr, program, folder, held };
        wire::send(self.control.as_fd(), &plan.order, &handles.in_order())
    }

    /// Waits for the first word.
    fn greeted(&mut self) -> Result<(), String> {
        let hint = "is `toolgate_exec::init()` the first thing in `main`?";
        self.control.set_read_timeout(Some(HELLO_MOST)).map_err(|error| error.to_string())?;
        let said = wire::receive::<Said>(self.control.as_fd());
        self.control.set_read_timeout(None).map_err(|error| error.to_string())?;
        match said {
            Ok(Some((Said::Hello { version: VERSION }, _))) => Ok(()),
            Ok(Some((Said::Hello { version }, _))) => {
                Err(format!("the supervisor speaks version {version}, this host {VERSION}: take both from one build"))
            }
            Ok(_) => Err(format!("the supervisor said nothing: {hint}")),
            Err(error) => Err(format!("the supervisor said nothing to be understood: {error}; {hint}")),
        }
    }

    /// Feeds and drains the program until the supervisor says how it ended.
    fn heard(&mut self, plan: &Plan, streams: &mut Streams, stop: &Stop) -> Result<Ended, (Fault, String)> {
        let end = plan.order.grace + BACKSTOP;
        let mut until = Instant::now() + plan.order.time + end;
        let mut is_stopped = false;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err((Fault::Lost, "the supervisor didn't answer in time".to_owned()));
            }
            let ready = self.wait(streams, stop.closed.as_ref().filter(|_| !is_stopped), left);
            if !is_stopped && (ready.contains(&Ready::Stop) || stop.cancellation.is_cancelled()) {
                is_stopped = true;
                // The supervisor sees its input end, and still answers.
                let _ = self.control.shutdown(std::net::Shutdown::Write);
                until = Instant::now() + end;
            }
            ready.iter().for_each(|ready| streams.serve(*ready));
            if !ready.contains(&Ready::Control) {
                continue;
            }
            match wire::receive::<Said>(self.control.as_fd()) {
                Ok(Some((Said::Started { group }, _))) => self.group = Pid::from_raw(group),
                Ok(Some((Said::Ended(ended), _))) => {
                    self.group = None;
                    return Ok(ended);
                }
                Ok(Some((Said::NotStarted { why }, _))) => return Err((Fault::NotStarted, why)),
                Ok(Some((Said::Hello { .. }, _))) => {}
                Ok(None) => return Err((Fault::Lost, "the supervisor was killed".to_owned())),
                Err(error) => return Err((Fault::Lost, format!("the supervisor: {error}"))),
            }
        }
    }

    fn wait(&self, streams: &Streams, stop: Option<&UnixStream>, most: Duration) -> Vec<Ready> {
        let mut watched: Vec<(Ready, BorrowedFd<'_>, PollFlags)> =
            vec![(Ready::Control, self.control.as_fd(), PollFlags::IN)];
        watched.extend(stop.map(|stop| (Ready::Stop, stop.as_fd(), PollFlags::IN)));
        watched.extend(streams.stdin.as_ref().map(|fd| (Ready::Stdin, fd.as_fd(), PollFlags::OUT)));
        watched.extend(streams.stdout.as_ref().map(|fd| (Ready::Stdout, fd.as_fd(), PollFlags::IN)));
        watched.extend(streams.stderr.as_ref().map(|fd| (Ready::Stderr, fd.as_fd(), PollFlags::IN)));
        let mut polled: Vec<PollFd<'_>> =
            watched.iter().map(|(_, fd, flags)| PollFd::from_borrowed_fd(*fd, *flags)).collect();
        let most = if stop.is_some() { most } else { most.min(TICK) };
        let most = Timespec::try_from(most).unwrap_or(Timespec { tv_sec: 1, tv_nsec: 0 });
        // An interrupted wait is a short one.
        let _ = poll(&mut polled, Some(&most));
        let ready = watched.iter().zip(&polled).filter(|(_, fd)| !fd.revents().is_empty());
        ready.map(|((ready, ..), _)| *ready).collect()
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        let _ = self.control.shutdown(std::net::Shutdown::Both);
        // Set only where the supervisor didn't say that all is over. The program dies with it; this is for its group.
        if let Some(group) = self.group {
            let _ = self.process.kill();
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.process.wait();
    }
}
