//! The life of a process between its start and its becoming the program: session, folder, streams, sandbox, limits.

use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode};

use rustix::fs::{CWD, Mode, OFlags, fstat, openat};
use rustix::process::{Signal, fchdir, getpid, set_parent_process_death_signal, setsid};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};
use rustix::thread::set_no_new_privs;

use crate::entry;
use crate::wire::{self, Handles, Order, Said};

pub(crate) fn live() -> ExitCode {
    let Ok(control) = entry::control() else { return ExitCode::FAILURE };
    // Returns only where it failed.
    let Err(why) = become_program(&control);
    let _ = wire::send(control.as_fd(), &Said::NotStarted { why }, &[]);
    ExitCode::FAILURE
}

fn become_program(control: &OwnedFd) -> Result<std::convert::Infallible, String> {
    let (order, handles): (Order, _) =
        wire::receive(control.as_fd()).map_err(|error| error.to_string())?.ok_or("the supervisor is gone")?;
    let handles = Handles::of(handles, order.held.len()).map_err(|error| error.to_string())?;
    prepare(&handles).map_err(|error| format!("preparing the process: {error}"))?;
    let target = target(&order, &handles)?;
    let Handles { stdin, stdout, stderr, program, folder, held } = handles;
    drop((stdin, stdout, stderr, folder));
    let held: Vec<_> = order.held.iter().copied().zip(held).collect();
    order.support.restrict(&held, &order.named).map_err(|error| format!("the sandbox: {error}"))?;
    let started = Said::Started { group: getpid().as_raw_nonzero().get() };
    wire::send(control.as_fd(), &started, &[]).map_err(|error| error.to_string())?;
    let mut command = Command::new(target);
    command.arg0(&order.name).args(&order.arguments).env_clear().envs(order.environment.iter().cloned());
    // Last: what is left to do needs little.
    order.limits.apply(order.tasks)?;
    let error = command.exec();
    drop(program);
    Err(format!("starting the program: {error}"))
}

/// A session of its own, an end with the supervisor, no new rights, the folder, the streams.
fn prepare(handles: &Handles) -> io::Result<()> {
    setsid()?;
    set_parent_process_death_signal(Some(Signal::KILL))?;
    set_no_new_privs(true)?;
    fchdir(&handles.folder)?;
    dup2_stdin(&handles.stdin)?;
    dup2_stdout(&handles.stdout)?;
    dup2_stderr(&handles.stderr)?;
    Ok(())
}

/// The file to run: the one that is held; a script by its name, if that still leads to what is held.
fn target(order: &Order, handles: &Handles) -> Result<String, String> {
    let Some(script) = &order.script else {
        return Ok(format!("/proc/self/fd/{}", handles.program.as_raw_fd()));
    };
    let identity = |handle: &OwnedFd| fstat(handle).map(|stat| (stat.st_dev, stat.st_ino, stat.st_ctime));
    let again = openat(CWD, script, OFlags::PATH | OFlags::CLOEXEC, Mode::empty());
    match again.and_then(|again| Ok((identity(&again)?, identity(&handles.program)?))) {
        Ok((now, before)) if now == before => Ok(script.clone()),
        Ok(_) => Err("the script was replaced while it was started".to_owned()),
        Err(error) => Err(format!("looking for the script: {error}")),
    }
}
