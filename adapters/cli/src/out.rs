//! Where answers go, and how a command ends. Not what is printed.

use std::io::{self, ErrorKind, Stdout, Write};
use std::process::ExitCode;

use anstream::AutoStream;
use serde_json::Value;
use toolgate_core::store::StoreError;

use crate::text::json_line;

/// Standard output for the printing functions of this crate: colours on a terminal only, none where
/// `NO_COLOR` is set.
pub fn stdout() -> AutoStream<Stdout> {
    AutoStream::auto(io::stdout())
}

/// Says in one line on stderr why a command can't be carried out; exit code 2.
pub fn cannot(text: &str) -> ExitCode {
    complain(text);
    ExitCode::from(2)
}

fn complain(text: &str) {
    // Where stderr is closed, the exit code has to do.
    let _ = writeln!(anstream::AutoStream::auto(io::stderr()), "error: {text}");
}

/// Why a command ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The answer is no: exit code 1.
    No(String),
    /// It can't be carried out: exit code 2.
    Cannot(String),
    /// The answer couldn't be written.
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Cannot(error.to_string())
    }
}

/// Whether the answer, which has been printed, is yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Yes,
    No,
}

impl Verdict {
    pub(crate) fn of(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

pub(crate) fn exit_code(ended: Result<Verdict, Failure>) -> ExitCode {
    match ended {
        Ok(Verdict::Yes) => ExitCode::SUCCESS,
        Ok(Verdict::No) => ExitCode::from(1),
        Err(Failure::No(text)) => {
            complain(&text);
            ExitCode::from(1)
        }
        Err(Failure::Cannot(text)) => cannot(&text),
        // `| head -1` has read what it wanted.
        Err(Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Output(error)) => cannot(&format!("the answer can't be written: {error}")),
    }
}

/// Prints a value as one line of JSON.
pub(crate) fn put_json(out: &mut dyn Write, value: &Value) -> io::Result<()> {
    writeln!(out, "{}", json_line(value))
}
