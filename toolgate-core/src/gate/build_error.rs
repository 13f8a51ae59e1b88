//! Why a gate can't be built, in words for its developer.

use std::fmt;
use std::time::Duration;

use super::blocking::BlockingError;
use super::lease::{LONGEST, SHORTEST};
use crate::spec::{Toolset, ToolsetFault};
use crate::store::StoreError;
use crate::tool::StateMap;

/// Why a gate can't be built.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The tools don't fit together.
    Tools(ToolsetFault),
    /// The policy doesn't fit the tools.
    Policy(ToolsetFault),
    /// Tools ask for host state that wasn't given; all of it at once.
    MissingState(Vec<MissingState>),
    /// The program is built with `panic = "abort"`: a panic in a tool would end the process.
    PanicAborts,
    /// The tokio runtime has no timers, and a tool could not be bounded in time.
    NoTimers,
    /// The store can't be used.
    Store(StoreError),
    /// A gate that owns its runtime can't be built on a thread of another.
    Blocking(BlockingError),
    /// The system gives no threads for a runtime.
    Runtime(std::io::Error),
    /// A lease that is too short to be renewed in time, or so long that what a dead process left is noticed too late.
    Lease(Duration),
    /// The system gives no randomness for the gate's name.
    NoRandomness(getrandom::Error),
}

/// Host state that a tool asks for with `#[state]` and that wasn't given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingState {
    /// The tool.
    pub tool: String,
    /// The type it asks for.
    pub state: String,
    /// Whether an `Arc` of it was given, which is another type.
    pub given_in_arc: bool,
}

impl fmt::Display for MissingState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tool, state, given_in_arc } = self;
        write!(f, "tool `{tool}` asks for state `{state}`: give it to the builder with `.state(..)`")?;
        if *given_in_arc {
            f.write_str("; an `Arc` of it was given: give the value itself, or ask for `&Arc<..>`")?;
        }
        Ok(())
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tools(fault) | Self::Policy(fault) => fault.fmt(f),
            Self::MissingState(missing) => {
                let lines: Vec<String> = missing.iter().map(MissingState::to_string).collect();
                f.write_str(&lines.join("\n"))
            }
            Self::PanicAborts => {
                f.write_str("built with `panic = \"abort\"`: a panicking tool would end the process; use `unwind`")
            }
            Self::NoTimers => f.write_str(
                "no tokio runtime with timers: build the runtime with `enable_time` or `enable_all`, and the gate inside",
            ),
            Self::Store(error) => error.fmt(f),
            Self::Blocking(error) => error.fmt(f),
            Self::Runtime(error) => write!(f, "no runtime for the gate: {error}"),
            Self::Lease(length) => write!(f, "a lease of {length:?}: give one from {SHORTEST:?} to {LONGEST:?}"),
            Self::NoRandomness(error) => write!(f, "no randomness for the gate's name: {error}"),
        }
    }
}

impl std::error::Error for BuildError {}

/// What the tools ask for and the host has not given.
pub(super) fn missing_state(tools: &Toolset, given: &StateMap) -> Vec<MissingState> {
    let asked = tools.iter().flat_map(|tool| tool.states.iter().map(|state| (tool.spec.name, state)));
    let missing = asked.filter(|(_, state)| !given.has((state.type_id)()));
    let told = missing.map(|(tool, state)| MissingState {
        tool: tool.to_owned(),
        state: (state.name)().to_owned(),
        given_in_arc: given.has_arc_of((state.name)()),
    });
    told.collect()
}
