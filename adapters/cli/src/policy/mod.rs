//! `policy`: policy files before they count. Checked, asked about one call, run by their own examples, compared, held
//! against recorded calls. Not
//! what a file means, which is `toolgate_core::policy::file`'s.

mod args;
mod check;
mod diff;
mod explain;
mod exported;
mod problem;
mod simulate;
mod test;

use std::path::Path;

use toolgate_core::policy::file::{LoadError, PolicyFile};
use toolgate_core::spec::Toolset;

pub(crate) use args::{PolicyArgs, PolicyCommand};

use crate::host::Host;
use crate::out::{Failure, Verdict};
use crate::tools::need_tools;

pub(crate) fn run(args: &PolicyArgs, host: Option<&Host>) -> Result<Verdict, Failure> {
    let PolicyArgs { common, command } = args;
    if common.db.is_some() {
        return Err(Failure::Cannot("a policy stands in a file, not in a database; leave `--db` out".to_owned()));
    }
    let needed = || need_tools(host, common).map(|host| host.gate().tools());
    match command {
        PolicyCommand::Check(args) => check::run(args, common.json, host.map(|host| host.gate().tools())),
        PolicyCommand::Explain(args) => explain::run(args, common.json, needed()?),
        PolicyCommand::Test(args) => test::run(args, common.json, needed()?),
        PolicyCommand::Simulate(args) => simulate::run(args, common.json, host.map(|host| host.gate().tools())),
        PolicyCommand::Diff(args) => diff::run(args, common.json, host.map(|host| host.gate().tools())),
    }
}

/// A policy for these tools, or why it is none.
fn load(path: &Path, tools: Option<&Toolset>) -> Result<PolicyFile, LoadError> {
    let policy = PolicyFile::load(path)?;
    if let Some(tools) = tools {
        policy.check_against(tools)?;
    }
    Ok(policy)
}

/// The same where the command can't go on without it.
fn need(path: &Path, tools: Option<&Toolset>) -> Result<PolicyFile, Failure> {
    load(path, tools).map_err(|error| Failure::Cannot(problem::first_of(&error.problems)))
}
