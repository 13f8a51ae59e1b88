//! From what a tool said to what is run: everything that can be refused is refused here, before anything starts.

use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::time::Duration;

use rustix::fs::{CWD, Mode, OFlags, openat};
use toolgate_core::policy::Control;
use toolgate_core::resource::{Handle, PathKind, PathText, Workspace};
use toolgate_core::session::Capabilities;
use toolgate_core::tool::{Context, Effect, ToolError};

use crate::command::Command;
use crate::entry;
use crate::fault::Fault;
use crate::processes::{Processes, ProcessesBuilder, can_be_set};
use crate::program::{self, Program};
use crate::sandbox::{Grant, Sandbox, Support};
use crate::wire::{MAX_HANDLES, Order};

/// Most bytes of all arguments and variables together; the kernel refuses more than about 2 MiB.
const MAX_ARGUMENTS: usize = 1024 * 1024;
/// Most bytes of one; the kernel's own limit.
const MAX_ARGUMENT: usize = 128 * 1024 - 1;
const MAX_STDIN: usize = 1024 * 1024;
/// Beside streams, program, folder, and the folder of its own.
const MAX_FOLDERS: usize = MAX_HANDLES - 6;
/// What the end takes besides the time between TERM and KILL.
const END: Duration = Duration::from_millis(500);

/// One run, checked; nothing of it has started.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) context: Context,
    pub(crate) order: Order,
    pub(crate) program: OwnedFd,
    pub(crate) folder: OwnedFd,
    pub(crate) held: Vec<OwnedFd>,
    pub(crate) stdin: Vec<u8>,
    pub(crate) output_limit: usize,
    pub(crate) supervisor: Option<String>,
    pub(crate) not_enforced: Vec<&'static str>,
    /// Whether the tool may have changed something before.
    pub(crate) before: bool,
}

impl Plan {
    pub(crate) fn error(&self, fault: Fault, cause: impl Into<String>) -> ToolError {
        fault.error(self.before, cause)
    }
}

pub(crate) fn plan(command: Command) -> Result<Plan, ToolError> {
    let before = command.context.has_effect_started();
    let context = command.context.clone();
    let processes = context.state::<Processes>()?.clone();
    planned(command, &processes).map_err(|refusal| match refusal {
        Refusal::Fault(fault, cause) => fault.error(before, cause),
        Refusal::Error(error) if before => error.with_effect(Effect::Unknown),
        Refusal::Error(error) => error,
    })
}

enum Refusal {
    Fault(Fault, String),
    Error(ToolError),
}

impl From<ToolError> for Refusal {
    fn from(error: ToolError) -> Self {
        Self::Error(error)
    }
}

fn because<T>(fault: Fault, cause: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Fault(fault, cause.into()))
}

fn planned(command: Command, processes: &Processes) -> Result<Plan, Refusal> {
    let setup = &processes.inner;
    let program = allowed(&command, setup)?;
    let arguments = arguments(&command)?;
    let environment = environment(&command, &setup.environment)?;
    if command.stdin.len() > MAX_STDIN {
        return because(Fault::StdinTooLarge, format!("{} bytes", command.stdin.len()));
    }
    let sandbox = command.sandbox.unwrap_or(setup.sandbox);
    if let Sandbox::None(reason) = sandbox {
        tracing::info!(call = command.context.call_id(), reason, "a program is run without a sandbox");
    }
    let (support, not_enforced) = support(sandbox, setup.support)?;
    note_missing(&command, sandbox, &not_enforced);
    if setup.supervisor.is_none() && !entry::can_reexecute() {
        let text = "`toolgate_exec::init()` was not called: call it first thing in `main`, or name a supervisor";
        return because(Fault::NotInitialised, text);
    }
    let (time, grace) = times(&command, setup.time, setup.grace)?;
    let context = command.context;
    let (folder, own_folder) = match (&command.folder, context.workspace()) {
        (Some(folder), _) => (folder.folder().map_err(ToolError::from)?, false),
        (None, Some(workspace)) => (root(workspace)?, false),
        (None, None) => (temporary(&setup.temporary)?, true),
    };
    let mut granted =
        context.workspace().map(|workspace| grants(workspace, context.capabilities())).unwrap_or_default();
    if granted.len() > MAX_FOLDERS {
        return because(Fault::NotStarted, format!("more than {MAX_FOLDERS} folders are granted"));
    }
    let (program_handle, script) = (program.handle, program.is_script.then(|| program.path.clone()));
    granted.push((Grant::Read, program_handle.try_clone().map_err(ToolError::from)?));
    let (held, handles) = granted.into_iter().unzip();
    let order = Order {
        name: program.path,
        script,
        arguments,
        environment,
        temporary: setup.temporary.clone(),
        own_folder,
        time,
        grace,
        limits: command.limits.unwrap_or(setup.limits),
        tasks: None,
        support,
        named: setup.named.clone(),
        held,
    };
    Ok(Plan {
        before: context.has_effect_started(),
        context,
        order,
        program: program_handle,
        folder,
        held: handles,
        stdin: command.stdin,
        output_limit: command.output_limit,
        supervisor: setup.supervisor.clone(),
        not_enforced,
    })
}

/// The program, if every layer of the capabilities lists it and nobody else could have put it there.
fn allowed(command: &Command, setup: &ProcessesBuilder) -> Result<Program, Refusal> {
    let search = &setup.search;
    let asked = command.program.as_str();
    let context = &command.context;
    let found = program::locate(asked, search);
    // A path is also known by its name where the search path leads to it.
    let name = asked.rsplit('/').next().filter(|name| found.is_some() && program::locate(name, search) == found);
    let is = |listed: &str| listed == asked || Some(listed) == found.as_deref() || Some(listed) == name;
    if !context.capabilities().allows_program(is) {
        return because(
            Fault::NotAllowed,
            format!("`{}` is not among the programs of this task", asked.escape_debug()),
        );
    }
    let reason = format!("the program `{}` is not granted", asked.escape_debug());
    context.note_grants(Control::Programs, Fault::NotAllowed.rule(), &reason, |may| may.allows_program(is));
    let Some(path) = found else {
        return because(Fault::NotFound, format!("`{}` is not in {}", asked.escape_debug(), search.join(":")));
    };
    let program = match program::hold(path) {
        Ok(program) => program,
        Err(error) => return because(Fault::NotStarted, format!("`{asked}`: {error}")),
    };
    if let Err(who) = program::who_else(&program) {
        return because(Fault::Untrusted, who);
    }
    let mut writable: Vec<PathBuf> = setup.written().filter_map(|path| path.canonicalize().ok()).collect();
    if let Some(workspace) = context.workspace() {
        writable.push(program::real_path(&root(workspace)?).map_err(ToolError::from)?);
    }
    match writable.iter().find(|folder| program.is_beneath(folder)) {
        Some(folder) => because(
            Fault::Untrusted,
            format!("{path} is in {}, where programs write", folder.display(), path = program.path),
        ),
        None => Ok(program),
    }
}

fn arguments(command: &Command) -> Result<Vec<String>, Refusal> {
    let mut arguments = command.arguments.clone();
    if !command.operands.is_empty() {
        arguments.push("--".to_owned());
        arguments.extend(command.operands.iter().cloned());
    }
    if let Some(at) = arguments.iter().position(|argument| argument.contains('\0')) {
        return because(Fault::BadArgument, format!("argument {} holds a NUL", at + 1));
    }
    let total: usize = arguments.iter().map(String::len).sum();
    if total > MAX_ARGUMENTS || arguments.iter().any(|argument| argument.len() > MAX_ARGUMENT) {
        return because(Fault::BadArgument, format!("{total} bytes of arguments"));
    }
    Ok(arguments)
}

fn environment(command: &Command, fixed: &[(String, String)]) -> Result<Vec<(String, String)>, Refusal> {
    let mut all = fixed.to_vec();
    for (name, value) in &command.environment {
        if !can_be_set(name, value) || value.len() > MAX_ARGUMENT {
            return because(Fault::BadEnvironment, format!("the variable `{}`", name.escape_debug()));
        }
        all.retain(|(given, _)| given != name);
        all.push((name.clone(), value.clone()));
    }
    Ok(all)
}

/// What is enforced, and what isn't.
fn support(wanted: Sandbox, of_kernel: fn() -> Support) -> Result<(Support, Vec<&'static str>), Refusal> {
    let support = match wanted {
        Sandbox::None(_) => Support::Nothing,
        Sandbox::Required | Sandbox::BestEffort => of_kernel(),
    };
    if wanted == Sandbox::Required && support < Support::Files {
        return because(Fault::NoSandbox, "the kernel has no Landlock of ABI 3 or later, and a sandbox is required");
    }
    Ok((support, support.lacks()))
}

/// The record of the call has what no sandbox keeps from the program.
fn note_missing(command: &Command, sandbox: Sandbox, not_enforced: &[&str]) {
    let program = command.program.escape_debug();
    let reason = match sandbox {
        Sandbox::None(why) => format!("`{program}` has no sandbox: {why}"),
        _ if not_enforced.is_empty() => return,
        _ => format!("no sandbox keeps `{program}` from {}", not_enforced.join(", ")),
    };
    command.context.note_missing(Fault::NoSandbox.rule(), &reason);
}

/// How long the program may run, and how long it has between TERM and KILL: together within the call's time.
fn times(command: &Command, usual: Duration, grace: Duration) -> Result<(Duration, Duration), Refusal> {
    let wanted = command.time.unwrap_or(usual);
    let Some(left) = command.context.time_left() else {
        return Ok((wanted, grace));
    };
    let end = (grace + END).min(left / 4);
    let time = wanted.min(left.saturating_sub(end));
    if time.is_zero() {
        return because(Fault::NoTime, "the call's time was over");
    }
    Ok((time, grace.min(end)))
}

fn root(workspace: &Workspace) -> Result<OwnedFd, Refusal> {
    match held(workspace, ".") {
        Some((folder, _)) => Ok(folder),
        None => because(Fault::NotStarted, "the root of the workspace can't be opened"),
    }
}

fn temporary(folder: &str) -> Result<OwnedFd, Refusal> {
    let opened = openat(CWD, folder, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty());
    opened.or_else(|error| because(Fault::NotStarted, format!("{folder}: {error}")))
}

/// A folder of the workspace, and where it really is.
fn held(workspace: &Workspace, folder: &str) -> Option<(OwnedFd, PathText)> {
    let handle = workspace.open_path(&workspace.check(PathKind::Dir, folder).ok()?, None).ok()?;
    let Handle::Dir(folder) = &handle else { return None };
    Some((folder.folder().ok()?, workspace.check(PathKind::Dir, handle.resolved()).ok()?))
}

/// The folders of the workspace that the task may read and write, held. What isn't there, or leads through a link to where
/// the task may not, is not granted.
fn grants(workspace: &Workspace, may: &Capabilities) -> Vec<(Grant, OwnedFd)> {
    let readable = |place: &PathText| may.may_read(|prefix| place.is_beneath(prefix));
    let writable = |place: &PathText| may.may_write(|prefix| place.is_beneath(prefix));
    let mut granted = Vec::new();
    for folder in may.writable_folders() {
        let Some((handle, place)) = held(workspace, &folder) else { continue };
        let is_root = place.relative() == ".";
        let is_protected = !is_root && workspace.check(PathKind::Write, place.relative()).is_err();
        if writable(&place) && !is_protected {
            granted.push((if readable(&place) { Grant::Write } else { Grant::WriteOnly }, handle));
        }
    }
    for folder in may.readable_folders() {
        let Some((handle, place)) = held(workspace, &folder) else { continue };
        if readable(&place) {
            granted.push((Grant::Read, handle));
        }
    }
    granted
}
