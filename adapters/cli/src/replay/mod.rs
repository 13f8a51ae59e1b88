//! `replay FILE`: recorded cases against the agent's own gate. What counts is codes, stages, effects
//! and rules, never prose.

mod case;

use std::collections::HashMap;
use std::io::Write as _;

use serde_json::{Map, Value, json};
use toolgate_core::call::ToolResult;
use toolgate_core::session::Task;

use self::case::{Case, load};
use crate::args::ReplayArgs;
use crate::host::{Host, Wanted};
use crate::out::{Failure, Verdict, put_json, stdout};
use crate::text::{BAD, GOOD, styled, visible};
use crate::tools::need_host;

type Differences = Vec<(&'static str, String, String)>;

pub(crate) async fn run(args: &ReplayArgs, host: Option<&Host>) -> Result<Verdict, Failure> {
    let host = need_host(host, &args.within)?;
    let cases = load(&args.file).map_err(|error| Failure::Cannot(visible(&error)))?;
    // Cases of one task share it, so that what one does the next can see.
    let mut tasks: HashMap<Wanted, Task> = HashMap::new();
    let mut out = stdout();
    let mut failed = 0;
    for case in &cases {
        let wanted = Wanted {
            session: case.session.clone().or_else(|| args.within.session.clone()),
            task: case.task.clone().or_else(|| args.within.task.clone()),
        };
        let task = task_of(host, &mut tasks, wanted, &case.name)?;
        let got = task.call(case.call()).await;
        let differences = case.expected.differences(&got);
        failed += usize::from(!differences.is_empty());
        if args.within.common.json {
            put_json(&mut out, &as_json(case, &got, &differences))?;
        } else {
            writeln!(out, "{}", line(case, &got, &differences))?;
        }
    }
    let passed = cases.len() - failed;
    if args.within.common.json {
        put_json(&mut out, &json!({"cases": cases.len(), "passed": passed, "failed": failed}))?;
    } else {
        writeln!(out, "{} case{}, {passed} passed, {failed} failed", cases.len(), plural(cases.len()))?;
    }
    Ok(Verdict::of(failed == 0))
}

/// The task of a case: the one that earlier cases used, or a new one.
fn task_of(host: &Host, tasks: &mut HashMap<Wanted, Task>, wanted: Wanted, case: &str) -> Result<Task, Failure> {
    if let Some(task) = tasks.get(&wanted) {
        return Ok(task.clone());
    }
    let named = |error| Failure::Cannot(format!("case `{}`: {error}", visible(case)));
    let task = host.task(&wanted).map_err(named)?;
    tasks.insert(wanted, task.clone());
    Ok(task)
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn line(case: &Case, got: &ToolResult, differences: &Differences) -> String {
    let name = visible(&case.name);
    if differences.is_empty() {
        return format!("{} {name}: {}", styled(GOOD, "pass"), got.code);
    }
    let each = differences
        .iter()
        .map(|(field, expected, got)| format!("{field} is {}, expected {}", visible(got), visible(expected)));
    format!("{} {name}: {} ({})", styled(BAD, "FAIL"), each.collect::<Vec<_>>().join("; "), visible(&got.call_id))
}

fn as_json(case: &Case, got: &ToolResult, differences: &Differences) -> Value {
    let differences: Map<String, Value> = differences
        .iter()
        .map(|(field, expected, got)| ((*field).to_owned(), json!({"expected": expected, "got": got})))
        .collect();
    json!({
        "name": case.name,
        "pass": differences.is_empty(),
        "call": got.call_id,
        "got": {
            "ok": got.ok,
            "code": got.code.as_str(),
            "stage": got.stage.as_str(),
            "effect": got.effect.as_str(),
            "rule": got.rule(),
        },
        "differences": differences,
    })
}
