//! Programs for tools: `ctx.command("cargo")`.
//!
//! A program is run only where the task's capabilities list it. It gets an argument vector and never a shell, a clean
//! environment, a folder that is held, limits, and a sandbox (Landlock) of what the task may read and write. Its output is
//! drained and bounded. Everything it starts is ended with it, whatever left its group or session: by a supervisor, which is
//! the host's own binary started again.
//!
//! Not here: a container. Where there is no sandbox, a program may do what the host's user may; see `docs/guide/processes.md`
//! and `docs/threat-model.md` of the repository.

#[cfg(not(target_os = "linux"))]
compile_error!(
    "toolgate-exec needs Linux: subreapers, pidfds and Landlock are its means; leave the feature `exec` out"
);

mod cgroup;
mod command;
mod entry;
mod fault;
mod launcher;
mod limits;
mod output;
mod plan;
mod processes;
mod program;
mod run;
mod sandbox;
mod supervisor;
mod tree;
mod wire;

pub use command::{Command, CommandContext};
pub use entry::{init, supervise};
pub use limits::Limits;
pub use output::{Captured, Output, Status};
pub use processes::{Processes, ProcessesBuilder, SetupError};
pub use sandbox::{Sandbox, Support};
