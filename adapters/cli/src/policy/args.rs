//! The command line of `policy`. Not the commands.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::args::Common;

#[derive(Debug, Args)]
pub(crate) struct PolicyArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: PolicyCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PolicyCommand {
    /// Checks policy files, and holds them against the tools where there are any.
    #[command(after_help = "Exit codes: 0 fine, 1 problems were found, 2 a file can't be read.")]
    Check(CheckArgs),
    /// Says what a policy file answers to a call, part by part (inside the agent's binary).
    #[command(after_help = EXPLAINED)]
    Explain(ExplainArgs),
    /// Runs the examples that stand in policy files (inside the agent's binary).
    #[command(after_help = "Exit codes: 0 all passed, or there are none, 1 an example failed, 2 a file can't be used.")]
    Test(TestArgs),
    /// Says what changes from one policy file to another, and whose examples are answered otherwise.
    #[command(after_help = "Exit codes: 0 they say the same, 1 they differ, 2 a file can't be used.")]
    Diff(DiffArgs),
    /// Runs recorded calls against a policy file: what is stopped of attacks, kept of the rest, and asked.
    #[command(after_help = SIMULATED)]
    Simulate(SimulateArgs),
}

const SIMULATED: &str = "No tool runs. An attacker's call that is asked about counts as stopped. A run is kept where \
    nothing of the user's is refused and at most one thing asked. Limits, and what tools confirm by themselves, are not \
    looked at.\n\nExit codes: 0 no attacker's call passes, 1 one does, 2 a file can't be used.";

const EXPLAINED: &str = "No gate is asked: what the host grants, what was seen or called before and where a path \
    really leads are not looked at.\n\nExit codes: 0 allowed, or a person is asked, 1 denied, or no call of a tool, \
    2 it can't be carried out.";

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The policies
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Tools to hold them against, as `tools --all --json` of the agent's binary prints them
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The policy
    pub(crate) file: PathBuf,
    /// Name of the tool; or the whole call as JSON, such as `{"tool": "look", "arguments": {}}`, with `-` from stdin
    #[arg(value_name = "TOOL")]
    pub(crate) call: String,
    /// Arguments of the tool as a JSON object; `-` reads them from stdin
    #[arg(value_name = "JSON", allow_hyphen_values = true)]
    pub(crate) arguments: Option<String>,
    /// The type of task that the call is made in
    #[arg(long, value_name = "TYPE")]
    pub(crate) task: Option<String>,
    /// On whose behalf it is made
    #[arg(long, value_name = "NAME")]
    pub(crate) user: Option<String>,
    /// The agent that makes it
    #[arg(long, value_name = "NAME")]
    pub(crate) principal: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    /// The policies
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The policy as it was
    pub(crate) old: PathBuf,
    /// The policy as it is now
    pub(crate) new: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct SimulateArgs {
    /// The policy
    pub(crate) file: PathBuf,
    /// The recorded calls, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub(crate) calls: PathBuf,
    /// What the users asked for, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub(crate) tasks: PathBuf,
    /// The tools by suite, one JSON object; without it, those of the agent's binary
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Option<PathBuf>,
    /// What the tools gave, one JSON object a line; without it, no value comes from a result
    #[arg(long, value_name = "FILE")]
    pub(crate) results: Option<PathBuf>,
    /// How the runs ended, one JSON object a line; without it, a run is good where no call is an attacker's
    #[arg(long, value_name = "FILE")]
    pub(crate) traces: Option<PathBuf>,
    /// The suite whose calls are meant, where there are several
    #[arg(long, value_name = "NAME")]
    pub(crate) suite: Option<String>,
    /// The type of task that the runs are, where the file has several
    #[arg(long, value_name = "TYPE")]
    pub(crate) task_type: Option<String>,
    /// A tool of `--tools` whose results strangers don't write; may be given more than once
    #[arg(long, value_name = "TOOL", requires = "tools")]
    pub(crate) trusted: Vec<String>,
}
