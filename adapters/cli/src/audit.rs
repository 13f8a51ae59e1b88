//! `audit list|show|stats`: the trail, read and never changed.

use std::io::Write as _;

use serde_json::{Value, json};
use toolgate_core::call::Code;
use toolgate_core::clock::format_time;
use toolgate_core::ledger::CallState;
use toolgate_core::store::{CallFilter, CallStory};

use crate::args::{AuditArgs, AuditCommand, Common, FilterArgs};
use crate::decide::reading;
use crate::host::Host;
use crate::out::{Failure, Verdict, put_json, stdout};
use crate::print::{audit_stats, audit_table, call_story, stats_json};
use crate::text::{DIM, styled, visible};

pub(crate) async fn run(args: &AuditArgs, host: Option<&Host>) -> Result<Verdict, Failure> {
    let common = &args.common;
    match &args.command {
        AuditCommand::List { filter, limit } => list(filter_of(filter, None)?, *limit, common, host).await,
        AuditCommand::Show { call } => show(call, common, host).await,
        AuditCommand::Stats { filter, limit } => stats(&filter_of(filter, *limit)?, common, host).await,
    }
}

/// A word that isn't in the set would find nothing, and look like an answer.
fn filter_of(args: &FilterArgs, limit: Option<usize>) -> Result<CallFilter, Failure> {
    let FilterArgs { session, task, tool, code, state, since, until } = args;
    if let Some(code) = code.as_deref().filter(|code| Code::parse(code).is_none()) {
        let all: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        return Err(Failure::Cannot(format!("no code `{}`, there are: {}", visible(code), all.join(", "))));
    }
    if let Some(state) = state.as_deref().filter(|state| CallState::parse(state).is_none()) {
        let all: Vec<&str> = CallState::ALL.iter().map(|state| state.as_str()).collect();
        return Err(Failure::Cannot(format!("no state `{}`, there are: {}", visible(state), all.join(", "))));
    }
    Ok(CallFilter {
        session: session.clone(),
        task: task.clone(),
        tool: tool.clone(),
        code: code.clone(),
        state: state.clone(),
        since_ms: *since,
        until_ms: *until,
        limit,
    })
}

async fn list(filter: CallFilter, limit: usize, common: &Common, host: Option<&Host>) -> Result<Verdict, Failure> {
    // One more than is shown, to know whether there are more.
    let filter = CallFilter { limit: Some(limit.saturating_add(1)), ..filter };
    let mut calls = reading(common, host)?.calls(&filter).await?;
    let more = calls.len() > limit;
    calls.truncate(limit);
    let mut out = stdout();
    if common.json {
        calls.iter().try_for_each(|call| put_json(&mut out, &json!(call)))?;
    } else {
        audit_table(&mut out, &calls)?;
        if more {
            writeln!(out, "{}", styled(DIM, &format!("and older ones: these are the newest {limit}, see `--limit`")))?;
        }
    }
    Ok(Verdict::Yes)
}

async fn show(id: &str, common: &Common, host: Option<&Host>) -> Result<Verdict, Failure> {
    let Some(story) = reading(common, host)?.call(id).await? else {
        let text = format!("no call `{}` in this database; `audit list` shows which there are", visible(id));
        return Err(Failure::No(text));
    };
    let mut out = stdout();
    if common.json {
        put_json(&mut out, &story_json(&story))?;
    } else {
        call_story(&mut out, &story)?;
    }
    Ok(Verdict::Yes)
}

pub(crate) fn story_json(story: &CallStory) -> Value {
    let events: Vec<Value> = story
        .events
        .iter()
        .map(|event| {
            json!({
                "seq": event.seq,
                "kind": event.kind,
                "at": format_time(event.at_ms),
                "at_ms": event.at_ms,
                "body": event.body,
                "link": event.link,
            })
        })
        .collect();
    json!({"record": story.record, "events": events})
}

async fn stats(filter: &CallFilter, common: &Common, host: Option<&Host>) -> Result<Verdict, Failure> {
    let calls = reading(common, host)?.calls(filter).await?;
    let mut out = stdout();
    if common.json {
        put_json(&mut out, &stats_json(&calls))?;
    } else {
        audit_stats(&mut out, &calls)?;
    }
    Ok(Verdict::Yes)
}
