//! `tasks list|resume`: tasks whose effectful calls are stopped after a failure, and the person who
//! lets one go on.

use std::io::Write as _;

use serde_json::{Value, json};
use toolgate_core::clock::{Clock as _, SystemClock, format_time};
use toolgate_core::store::{Resume, Stop, StopReach, Write, Written, write_one};

use crate::args::{Common, Person, TasksArgs, TasksCommand};
use crate::decide::{name_of, reading, writing};
use crate::host::Host;
use crate::out::{Failure, Verdict, put_json, stdout};
use crate::table::{self, Cell};
use crate::text::visible;

pub(crate) async fn run(args: &TasksArgs, host: Option<&Host>) -> Result<Verdict, Failure> {
    match &args.command {
        TasksCommand::List => list(&args.common, host).await,
        TasksCommand::Resume { session, task, person } => {
            resume(session, task.as_deref(), person, &args.common, host).await
        }
    }
}

fn reach(stop: &Stop) -> &'static str {
    match stop.reach {
        StopReach::Tool => "this tool in this task",
        StopReach::Session => "all tasks of the session",
    }
}

fn stop_json(stop: &Stop) -> Value {
    let Stop { id, session, task, tool, reach, call_id, at_ms, resumed: _ } = stop;
    let reach = match reach {
        StopReach::Tool => "tool",
        StopReach::Session => "session",
    };
    let at = format_time(*at_ms);
    json!({"stop": id, "session": session, "task": task, "tool": tool, "reach": reach, "call": call_id, "at": at})
}

async fn list(common: &Common, host: Option<&Host>) -> Result<Verdict, Failure> {
    let stops = reading(common, host)?.stops().await?;
    let mut out = stdout();
    if common.json {
        stops.iter().try_for_each(|stop| put_json(&mut out, &stop_json(stop)))?;
    } else if stops.is_empty() {
        writeln!(out, "no task is stopped")?;
    } else {
        let row = |stop: &Stop| {
            let at = format_time(stop.at_ms);
            [&stop.session, &stop.task, &stop.tool, reach(stop), &at, &stop.call_id].map(Cell::plain).into()
        };
        let rows: Vec<Vec<Cell>> = stops.iter().map(row).collect();
        table::put(&mut out, &["session", "task", "tool", "refuses effects of", "since", "after call"], &rows)?;
    }
    Ok(Verdict::Yes)
}

async fn resume(
    session: &str,
    task: Option<&str>,
    person: &Person,
    common: &Common,
    host: Option<&Host>,
) -> Result<Verdict, Failure> {
    let by = name_of(person)?;
    let store = writing(common, host)?;
    let now_ms = SystemClock.now_ms();
    let resume = Resume { session: session.to_owned(), task: task.map(str::to_owned), by: by.clone(), now_ms };
    let resumed = match write_one(&*store, Write::Resume(resume)).await? {
        Written::Resumed(resumed) => resumed,
        _ => 0,
    };
    let place = match task {
        Some(task) => format!("task `{}` of session `{}`", visible(task), visible(session)),
        None => format!("session `{}`", visible(session)),
    };
    if resumed == 0 {
        return Err(Failure::No(format!("nothing is stopped in {place}; `tasks list` shows what is")));
    }
    let mut out = stdout();
    if common.json {
        put_json(&mut out, &json!({"session": session, "task": task, "by": by, "resumed": resumed}))?;
    } else {
        let stops = if resumed == 1 { "1 stop".to_owned() } else { format!("{resumed} stops") };
        writeln!(out, "{} lets effectful calls of {place} through again ({stops} ended)", visible(&by))?;
    }
    Ok(Verdict::Yes)
}
