//! `policy test`: the examples that stand in policy files, run as their tests.

use std::io::{self, Write};

use serde_json::{Value, json};
use toolgate_core::policy::file::{ExampleResult, PolicyFile};
use toolgate_core::spec::Toolset;

use super::args::TestArgs;
use super::need;
use crate::out::{Failure, Verdict, put_json, stdout};
use crate::text::{BAD, BOLD, GOOD, styled, visible};

pub(super) fn run(args: &TestArgs, json: bool, tools: &Toolset) -> Result<Verdict, Failure> {
    // All are read first, so that the last word isn't about a file that nobody saw failing.
    let load = |file| need(file, Some(tools)).map(|policy| (file.display().to_string(), policy));
    let policies: Vec<(String, PolicyFile)> =
        args.files.iter().map(std::path::PathBuf::as_path).map(load).collect::<Result<_, _>>()?;
    let mut out = stdout();
    let (mut count, mut failed) = (0, 0);
    for (file, policy) in &policies {
        let results = policy.run_examples(tools);
        count += results.len();
        failed += results.iter().filter(|result| !result.passed).count();
        if json {
            results.iter().try_for_each(|result| put_json(&mut out, &as_json(file, result)))?;
        } else {
            put(&mut out, file, &results)?;
        }
    }
    let passed = count - failed;
    if json {
        put_json(&mut out, &json!({"files": policies.len(), "examples": count, "passed": passed, "failed": failed}))?;
    } else {
        let told = format!("{count} example{}, {passed} passed, {failed} failed", if count == 1 { "" } else { "s" });
        writeln!(out, "{}", styled(if failed == 0 { GOOD } else { BAD }, &told))?;
    }
    Ok(Verdict::of(failed == 0))
}

fn put(out: &mut dyn Write, file: &str, results: &[ExampleResult]) -> io::Result<()> {
    let file = visible(file);
    if results.is_empty() {
        return writeln!(out, "{}: no examples", styled(BOLD, &file));
    }
    writeln!(out, "{}", styled(BOLD, &file))?;
    for ExampleResult { name, line, passed, expected, got, why } in results {
        let word = if *passed { styled(GOOD, "ok") } else { styled(BAD, "FAILED") };
        writeln!(out, "{} ... {word}", visible(name))?;
        if *passed {
            continue;
        }
        writeln!(out, "  {file}:{line}: expected {}, got {}", visible(expected), visible(got))?;
        why.lines().try_for_each(|line| writeln!(out, "  {}", visible(line)))?;
    }
    Ok(())
}

fn as_json(file: &str, result: &ExampleResult) -> Value {
    let ExampleResult { name, line, passed, expected, got, why } = result;
    json!({"file": file, "name": name, "line": line, "passed": passed, "expected": expected, "got": got, "why": why})
}
