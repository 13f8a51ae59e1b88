//! What the example agents share: options, a place to work in, a recorded model, and a transcript. Not a
//! library: an agent of your own has a model in the place of [`Script`] and its own way to talk to people.

mod audit;
mod event;
mod home;
mod json;
mod options;
mod pager;
mod player;
mod script;
mod text;

use std::error::Error;
use std::io::ErrorKind;
use std::process::ExitCode;

pub(crate) use home::Home;
pub(crate) use options::Options;
pub(crate) use pager::Pager;
pub(crate) use player::{Player, Role};
pub(crate) use script::Script;

/// What ends a program early; its text is for the person who started it.
pub(crate) type Failure = Box<dyn Error>;

/// Says how the program ended: 0 for a story that went as recorded, 1 for everything else.
pub(crate) fn exit(program: &str, ended: Result<(), Failure>) -> ExitCode {
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read along has seen enough.
        Err(failure) if is_closed_pipe(&failure) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{program}: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn is_closed_pipe(failure: &Failure) -> bool {
    failure.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}
