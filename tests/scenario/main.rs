//! Whole programs: the example agents run as processes, and what they leave behind is looked at. Not the
//! single stages, which are tested in `toolgate-core`.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests and their helpers may fail loudly")]

mod code_agent;
mod ops_agent;
mod program;
mod turns;
