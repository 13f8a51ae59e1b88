//! `policy simulate`: recorded calls against a policy file, and the figures. Not what they count as, which is
//! `toolgate_core::policy::recorded`'s.

use std::io::Write as _;
use std::path::Path;

use toolgate_core::policy::file::PolicyFile;
use toolgate_core::policy::recorded::{Recorded, Recording, RecordingError};
use toolgate_core::spec::Toolset;

use super::args::SimulateArgs;
use super::need;
use crate::out::{Failure, Verdict, put_json, stdout};
use crate::text::visible;

/// The answer is no where nothing stops a call that an attacker wanted.
pub(super) fn run(args: &SimulateArgs, json: bool, own: Option<&Toolset>) -> Result<Verdict, Failure> {
    let recording = recording(args)?;
    let suite = suite(args, &recording)?;
    let trusted: Vec<&str> = args.trusted.iter().map(String::as_str).collect();
    let recorded = args.tools.is_some().then(|| recording.toolset(&suite, &trusted)).transpose().map_err(cannot)?;
    let Some(tools) = recorded.as_ref().or(own) else {
        let text = "this program holds no tools: give `--tools`, or run this inside your agent's binary";
        return Err(Failure::Cannot(text.to_owned()));
    };
    // Its examples are about the tools of an agent, and these may be those of a recording.
    let policy = need(&args.file, Some(tools))?.without_examples();
    let task_type = task_type(args, &policy)?;
    let report = recording.simulate(&suite, tools, &policy, &task_type).map_err(cannot)?;
    let mut out = stdout();
    if json {
        let line = serde_json::to_value(&report).map_err(|error| Failure::Cannot(error.to_string()))?;
        put_json(&mut out, &line)?;
    } else {
        report.to_string().lines().try_for_each(|line| writeln!(out, "{}", visible(line)))?;
    }
    Ok(Verdict::of(report.attacker.allowed == 0))
}

fn recording(args: &SimulateArgs) -> Result<Recording, Failure> {
    let optional = |path: Option<&Path>, without: &str| path.map_or_else(|| Ok(without.to_owned()), read);
    let (tasks, calls) = (read(&args.tasks)?, read(&args.calls)?);
    let tools = optional(args.tools.as_deref(), "{}")?;
    let (results, runs) = (optional(args.results.as_deref(), "")?, optional(args.traces.as_deref(), "")?);
    let texts = Recorded { tools: &tools, tasks: &tasks, calls: &calls, results: &results, runs: &runs };
    Recording::read(texts).map_err(cannot)
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path)
        .map_err(|error| Failure::Cannot(visible(&format!("`{}` can't be read: {error}", path.display()))))
}

/// The suite that is asked for, or the only one.
fn suite(args: &SimulateArgs, recording: &Recording) -> Result<String, Failure> {
    let suites: Vec<&str> = recording.suites().collect();
    match (&args.suite, suites.as_slice()) {
        (Some(suite), _) => Ok(suite.clone()),
        (None, [only]) => Ok((*only).to_owned()),
        (None, []) => Err(Failure::Cannot("there are no recorded calls".to_owned())),
        (None, _) => {
            let text = format!("the calls of which suite? `--suite` says it; there are: {}", suites.join(", "));
            Err(Failure::Cannot(visible(&text)))
        }
    }
}

/// The type of task that the runs are, or the only one of the file.
fn task_type(args: &SimulateArgs, policy: &PolicyFile) -> Result<String, Failure> {
    let known: Vec<&str> = policy.task_types().collect();
    match (&args.task_type, known.as_slice()) {
        (Some(task_type), _) if known.contains(&task_type.as_str()) => Ok(task_type.clone()),
        (None, [only]) => Ok((*only).to_owned()),
        _ => {
            let text = format!("in which type of task? `--task-type` says it; the file has: {}", known.join(", "));
            Err(Failure::Cannot(visible(&text)))
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it stands in `map_err`")]
fn cannot(error: RecordingError) -> Failure {
    Failure::Cannot(visible(&error.to_string()))
}
