//! Recorded calls against a policy: what would have been stopped of what an attacker wanted, and what would have been
//! kept of what the user wanted. No tool runs. Not the reading of files, which is the caller's.
//!
//! The form is that of published runs with injected instructions, one JSON object a line:
//!
//! - tools: one object, `{"suite": [{"name", "description", "inputSchema"}]}`, each with `risk`, `annotations` as MCP has
//!   them, and `permissions`, where they are known;
//! - tasks: `suite`, `kind` (`user` counts), `task`, `prompt`: what the user said;
//! - calls: `t` (the run), `i` (its place), `suite`, `user_task`, `tool`, `arguments`, `is_attacker_goal`, `result` (an id);
//! - results: `id`, `text`;
//! - runs, which may be missing: `t`, `utility` (whether the user got what they wanted). Without them a run is good
//!   where nothing in it was an attacker's.

mod read;
mod report;
mod run;

pub use read::{Recorded, Recording, RecordingError};
pub use report::{Counts, Passed, Report, RunCounts};
