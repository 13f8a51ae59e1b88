//! `policy simulate`: recorded calls against a policy, and the figures. Not what they mean, which is
//! `toolgate_core::policy::recorded`'s.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use toolgate_core::policy::file::PolicyFile;
use toolgate_core::policy::recorded::{Recorded, Recording};

use crate::out::{Failure, Verdict, put_json, stdout};
use crate::text::visible;

/// What `policy simulate` takes beside the policy.
#[derive(Debug, Args)]
pub(crate) struct SimulateArgs {
    /// The policy
    #[arg(value_name = "FILE")]
    pub(crate) policy: PathBuf,
    /// The recorded calls, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub(crate) calls: PathBuf,
    /// Their tools by suite, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: PathBuf,
    /// What the users asked for, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub(crate) tasks: PathBuf,
    /// What the tools gave, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub(crate) results: Option<PathBuf>,
    /// How the runs ended, one JSON object a line; without it a run is good where no attacker's call is in it
    #[arg(long, value_name = "FILE")]
    pub(crate) runs: Option<PathBuf>,
    /// The suite whose tools the policy is about
    #[arg(long, value_name = "NAME")]
    pub(crate) suite: String,
    /// The type of task that the runs are
    #[arg(long, value_name = "NAME", default_value = "assistant")]
    pub(crate) task_type: String,
    /// A tool whose results strangers don't write; may be given more than once
    #[arg(long, value_name = "NAME")]
    pub(crate) trusted: Vec<String>,
}

/// Prints the figures. The answer is no where a call that an attacker wanted passes.
pub(crate) fn run(args: &SimulateArgs, json: bool) -> Result<Verdict, Failure> {
    let optional = |path: &Option<PathBuf>| path.as_deref().map_or_else(|| Ok(String::new()), read);
    let (tools, tasks, calls) = (read(&args.tools)?, read(&args.tasks)?, read(&args.calls)?);
    let (results, runs) = (optional(&args.results)?, optional(&args.runs)?);
    let texts = Recorded { tools: &tools, tasks: &tasks, calls: &calls, results: &results, runs: &runs };
    let cannot = |error: &dyn std::fmt::Display| Failure::Cannot(visible(&error.to_string()));
    let policy = PolicyFile::load(&args.policy).map_err(|error| cannot(&error))?;
    let recording = Recording::read(texts).map_err(|error| cannot(&error))?;
    let trusted: Vec<&str> = args.trusted.iter().map(String::as_str).collect();
    let tools = recording.toolset(&args.suite, &trusted).map_err(|error| cannot(&error))?;
    let report =
        recording.simulate(&args.suite, &tools, &policy, &args.task_type).map_err(|error| cannot(&error))?;
    let mut out = stdout();
    if json {
        put_json(&mut out, &serde_json::to_value(&report).map_err(|error| cannot(&error))?)?;
    } else {
        for line in report.to_string().lines() {
            writeln!(out, "{}", visible(line))?;
        }
    }
    Ok(Verdict::of(report.attacker.allowed == 0))
}

fn read(path: &Path) -> Result<String, Failure> {
    let text = std::fs::read_to_string(path);
    text.map_err(|error| Failure::Cannot(visible(&format!("`{}` can't be read: {error}", path.display()))))
}
