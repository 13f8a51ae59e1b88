//! `policy check`: everything that is wrong with policy files, each at its place.

use std::io::{self, Write};
use std::path::Path;

use serde_json::{Value, json};
use toolgate_core::policy::Policy as _;
use toolgate_core::policy::file::{LoadError, LoadProblem, PolicyFile};
use toolgate_core::spec::Toolset;

use super::args::CheckArgs;
use super::{exported, load, problem};
use crate::out::{Failure, Verdict, put_json, stdout};
use crate::text::{BAD, GOOD, styled, visible};

const NO_TOOLS: &str = "this program holds no tools, so only the form was looked at: run this inside your agent's \
    binary, or give `--tools`";

pub(super) fn run(args: &CheckArgs, json: bool, own: Option<&Toolset>) -> Result<Verdict, Failure> {
    let given = args.tools.as_deref().map(exported::read).transpose()?;
    let tools = given.as_ref().or(own);
    let mut out = stdout();
    let (mut problems, mut wrong) = (0, 0);
    for file in &args.files {
        // Of tools that were printed elsewhere it isn't known which arguments are paths, so that examples say nothing.
        let examples = own.filter(|_| given.is_none());
        let checked = load(file, tools)
            .and_then(|policy| examples.map_or(Ok(()), |tools| policy.check_examples(tools)).map(|()| policy));
        if let Err(LoadError { problems: found }) = &checked {
            if let Some(unread) = found.iter().find(|problem| problem.line == 0 && problem.rule == "policy.unreadable")
            {
                return Err(Failure::Cannot(problem::told(unread)));
            }
            problems += found.len();
            wrong += 1;
        }
        if json {
            put_json(&mut out, &as_json(file, &checked)?)?;
        } else {
            put(&mut out, file, &checked)?;
        }
    }
    if json {
        let count = json!({"files": args.files.len(), "problems": problems, "tools": tools.is_some()});
        put_json(&mut out, &count)?;
    } else {
        if tools.is_none() {
            writeln!(out, "{NO_TOOLS}")?;
        }
        let count = format!("{} checked, {problems} found", files(args.files.len()));
        writeln!(out, "{}", styled(if wrong == 0 { GOOD } else { BAD }, &count))?;
    }
    Ok(Verdict::of(wrong == 0))
}

fn files(count: usize) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}

fn put(out: &mut dyn Write, file: &Path, checked: &Result<PolicyFile, LoadError>) -> io::Result<()> {
    match checked {
        Ok(policy) => {
            let (file, version) = (visible(&file.display().to_string()), visible(&policy.version()));
            writeln!(out, "{} {file} ({version})", styled(GOOD, "fine"))
        }
        Err(LoadError { problems }) => problems.iter().try_for_each(|found| {
            problem::put(out, found)?;
            writeln!(out)
        }),
    }
}

fn as_json(file: &Path, checked: &Result<PolicyFile, LoadError>) -> Result<Value, Failure> {
    let (version, problems): (Option<String>, &[LoadProblem]) = match checked {
        Ok(policy) => (Some(policy.version()), &[]),
        Err(LoadError { problems }) => (None, problems),
    };
    let problems = serde_json::to_value(problems).map_err(|error| Failure::Cannot(error.to_string()))?;
    Ok(json!({"file": file.display().to_string(), "version": version, "problems": problems}))
}
