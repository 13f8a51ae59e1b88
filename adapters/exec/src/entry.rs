//! The three lives of a host's binary: the host itself, the supervisor of one run, and the launcher that becomes the
//! program. Which one it is stands in the name it was started under.

use std::io;
use std::os::fd::OwnedFd;
use std::process::{ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::stdio::{dup2_stdin, stdin};

use crate::{launcher, supervisor};

const SUPERVISOR: &str = "toolgate-exec-supervisor";
const LAUNCHER: &str = "toolgate-exec-launcher";
/// The one variable that the two need of the host's: where its libraries are.
const LIBRARIES: &str = "LD_LIBRARY_PATH";
/// This very binary, also where its file was replaced meanwhile.
const OWN_BINARY: &str = "/proc/self/exe";

static CAN_REEXECUTE: AtomicBool = AtomicBool::new(false);

/// To be called first thing in a host's `main`, before it reads arguments or starts threads.
///
/// A host that runs programs starts itself again, as the supervisor that can end everything which a program starts.
/// In those lives this function does the work and never returns; in the host itself it only remembers that it was
/// called. A host that doesn't call it can run no program, unless it names a supervisor
/// ([`ProcessesBuilder::supervisor`](crate::ProcessesBuilder::supervisor)).
pub fn init() {
    if let Some(live) = other_life() {
        live();
        std::process::exit(1);
    }
    CAN_REEXECUTE.store(true, Ordering::Release);
}

/// All of a program that is only a supervisor. Started by hand it says so and fails.
pub fn supervise() -> ExitCode {
    let Some(live) = other_life() else {
        eprintln!("this is the supervisor of toolgate: hosts start it, it does nothing by hand");
        return ExitCode::FAILURE;
    };
    live()
}

fn other_life() -> Option<fn() -> ExitCode> {
    let name = std::env::args_os().next()?;
    if name == SUPERVISOR {
        Some(supervisor::live)
    } else if name == LAUNCHER {
        Some(launcher::live)
    } else {
        None
    }
}

/// Whether this binary, started again, would be a supervisor.
pub(crate) fn can_reexecute() -> bool {
    CAN_REEXECUTE.load(Ordering::Acquire)
}

/// Starts a supervisor, from `binary` or from this one, with `control` as its input.
pub(crate) fn start_supervisor(binary: Option<&str>, control: OwnedFd) -> io::Result<std::process::Child> {
    start(binary.unwrap_or(OWN_BINARY), SUPERVISOR, control)
}

/// Starts a launcher from this binary.
pub(crate) fn start_launcher(control: OwnedFd) -> io::Result<std::process::Child> {
    start(OWN_BINARY, LAUNCHER, control)
}

fn start(binary: &str, name: &str, control: OwnedFd) -> io::Result<std::process::Child> {
    use std::os::unix::process::CommandExt as _;
    let mut command = std::process::Command::new(binary);
    command.arg0(name).env_clear().stdin(Stdio::from(control)).stdout(Stdio::null()).stderr(Stdio::null());
    if let Some(libraries) = std::env::var_os(LIBRARIES) {
        command.env(LIBRARIES, libraries);
    }
    command.spawn()
}

/// Takes the socket off the standard input, and lets nothing that was inherited go further.
pub(crate) fn control() -> io::Result<OwnedFd> {
    close_fds::set_fds_cloexec_threadsafe(3, &[]);
    let control = rustix::io::fcntl_dupfd_cloexec(stdin(), 3)?;
    dup2_stdin(std::fs::File::open("/dev/null")?)?;
    Ok(control)
}
