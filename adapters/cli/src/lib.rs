//! The command `toolgate`, and the same commands inside an agent's binary:
//!
//! ```no_run
//! # async fn f(gate: toolgate_core::gate::Gate, task: toolgate_core::session::Task) -> std::process::ExitCode {
//! toolgate_cli::run(Some(toolgate_cli::Host::with_task(gate, task)), std::env::args_os()).await
//! # }
//! ```
//!
//! [`Host::tasks`] opens tasks by `--session` and `--task`; the guide has a whole `main`. An agent with a `clap` parser
//! of its own flattens [`Commands`] into its subcommands instead.
//!
//! Exit codes: 0, done; 1, the answer is no (an unknown or decided ticket, a refused call, a failing
//! case or example, faults, findings or differences); 2, the command can't be carried out (usage, no database, no terminal).
//! Answers go to stdout, with colours on a terminal only; `--json` prints one JSON object a line.
//! Errors go to stderr, one line each.
//!
//! Not here: what a decision or a record means, which is `toolgate_core`'s.

mod approvals;
mod args;
mod audit;
mod call;
mod decide;
mod doctor;
mod host;
mod ledger;
mod lint;
mod out;
mod policy;
mod print;
mod prompt;
mod replay;
mod resume;
mod table;
mod tasks;
mod terminal;
mod text;
mod tools;
mod undo;
mod watch;

use std::ffi::OsString;
use std::process::ExitCode;

pub use args::Commands;
pub use decide::system_user;
pub use host::{Host, Wanted};
pub use out::{cannot, stdout};
pub use print::{audit_stats, audit_table, call_story, ticket_list, ticket_view};
pub use terminal::TerminalApprover;
pub use text::visible;

/// Reads the command line and carries it out. `host` brings an agent's tools; without one, the
/// commands that need them say so.
pub async fn run<I>(host: Option<Host>, args: I) -> ExitCode
where
    I: IntoIterator,
    I::Item: Into<OsString> + Clone,
{
    match args::CommandLine::read(args.into_iter().map(Into::into).collect(), host.as_ref()) {
        Ok(line) => line.command.run(host.as_ref()).await,
        Err(error) => {
            // The pipe may be closed; nobody is left to tell.
            let _ = error.print();
            ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
        }
    }
}
