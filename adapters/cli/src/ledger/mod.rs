//! `ledger list|show|resolve|prune|accept-restore`: what was done, as an operator sees it. Not what it means,
//! which is the core's.

mod args;

use std::io::Write as _;

use anstyle::Style;
use serde_json::{Value, json};
use toolgate_core::clock::{Clock as _, SystemClock, format_time};
use toolgate_core::gate::{Resolution, find_call, resolve};
use toolgate_core::ledger::KeyState;
use toolgate_core::store::{
    CallRecord, KeyFilter, KeyRecord, Millis, Pruned, Resolved, Retention, Verdict as Became, prunable, prune,
};
use toolgate_sqlite::SqliteStore;

pub(crate) use args::LedgerArgs;
use args::{LedgerCommand, ListArgs, ResolveArgs};

use crate::args::{Common, Person};
use crate::audit::story_json;
use crate::decide::{name_of, named, reading, redactor, writing};
use crate::host::Host;
use crate::out::{Failure, Verdict, put_json, stdout};
use crate::print::call_story;
use crate::table::{self, Cell};
use crate::text::{BAD, DIM, GOOD, WARN, distance, styled, visible};

/// Digits of a key that are shown in a table; `--json` has all of it.
const SHORT: usize = 16;

pub(crate) async fn run(args: &LedgerArgs, host: Option<&Host>) -> Result<Verdict, Failure> {
    let LedgerArgs { common, command } = args;
    match command {
        LedgerCommand::List(args) => list(args, common, host).await,
        LedgerCommand::Show { name } => show(name, common, host).await,
        LedgerCommand::Resolve(args) => say(args, common, host).await,
        LedgerCommand::Prune { older_than, dry_run } => let_go(*older_than, *dry_run, common, host).await,
        LedgerCommand::AcceptRestore { person } => accept(person, common, host),
    }
}

fn key_json(key: &KeyRecord) -> Value {
    let KeyRecord { key, tool, call_id, state, idempotent, attempts, fence, owner, claimed_ms, settled_ms, .. } = key;
    json!({
        "key": key,
        "tool": tool,
        "call": call_id,
        "state": state.as_str(),
        "idempotent": idempotent,
        "attempts": attempts,
        "fence": fence,
        "owner": owner,
        "claimed": format_time(*claimed_ms),
        "settled": settled_ms.map(format_time),
    })
}

const fn style_of(state: KeyState) -> Style {
    match state {
        KeyState::Succeeded => GOOD,
        KeyState::InDoubt => BAD,
        KeyState::Running | KeyState::Partial => WARN,
        KeyState::FailedNoEffect | KeyState::FailedFinal | KeyState::Pruned => DIM,
    }
}

fn short(key: &str) -> String {
    key.chars().take(SHORT).collect()
}

async fn list(args: &ListArgs, common: &Common, host: Option<&Host>) -> Result<Verdict, Failure> {
    let ListArgs { in_doubt, running, tool, session, older_than, limit } = args;
    let wanted = [(*in_doubt, KeyState::InDoubt), (*running, KeyState::Running)];
    // One more than is shown, to know whether there are more.
    let filter = KeyFilter {
        states: wanted.into_iter().filter(|(asked, _)| *asked).map(|(_, state)| state).collect(),
        tool: tool.clone(),
        session: session.clone(),
        before_ms: *older_than,
        limit: Some(limit.saturating_add(1)),
        ..KeyFilter::default()
    };
    let mut keys = reading(common, host)?.keys(&filter).await?;
    let more = keys.len() > *limit;
    keys.truncate(*limit);
    let mut out = stdout();
    if common.json {
        keys.iter().try_for_each(|key| put_json(&mut out, &key_json(key)))?;
    } else if keys.is_empty() {
        writeln!(out, "no such operation")?;
    } else {
        let now = SystemClock.now_ms();
        let rows: Vec<Vec<Cell>> = keys.iter().map(|key| row(key, now)).collect();
        table::put(&mut out, &["state", "claimed", "tool", "call", ">runs", "key"], &rows)?;
        if more {
            writeln!(out, "{}", styled(DIM, &format!("and older ones: these are the newest {limit}, see `--limit`")))?;
        }
    }
    Ok(Verdict::Yes)
}

fn row(key: &KeyRecord, now: Millis) -> Vec<Cell> {
    vec![
        Cell::styled(style_of(key.state), key.state.as_str()),
        Cell::plain(&distance(key.claimed_ms, now)),
        Cell::plain(&key.tool),
        Cell::plain(&key.call_id),
        Cell::plain(&key.attempts.to_string()),
        Cell::styled(DIM, &short(&key.key)),
    ]
}

fn unknown(name: &str) -> Failure {
    let name = visible(name);
    Failure::No(format!("no call and no key `{name}` in this database; `ledger list` shows which there are"))
}

async fn show(name: &str, common: &Common, host: Option<&Host>) -> Result<Verdict, Failure> {
    let store = reading(common, host)?;
    let Some((call, keys)) = find_call(&*store, name).await? else {
        return Err(unknown(name));
    };
    let story = store.call(&call.call_id).await?.ok_or_else(|| unknown(name))?;
    let mut out = stdout();
    if common.json {
        let keys: Vec<Value> = keys.iter().map(key_json).collect();
        let mut told = story_json(&story);
        if let Some(told) = told.as_object_mut() {
            told.insert("keys".to_owned(), keys.into());
        }
        put_json(&mut out, &told)?;
        return Ok(Verdict::Yes);
    }
    for key in &keys {
        let state = styled(style_of(key.state), key.state.as_str());
        let KeyRecord { fence, attempts, claimed_ms, .. } = key;
        let claimed = format_time(*claimed_ms);
        writeln!(out, "key          {}: {state}, claimed {claimed}, run {attempts}, fence {fence}", visible(&key.key))?;
    }
    call_story(&mut out, &story)?;
    Ok(Verdict::Yes)
}

async fn say(args: &ResolveArgs, common: &Common, host: Option<&Host>) -> Result<Verdict, Failure> {
    let ResolveArgs { name, verdict, why, result, person } = args;
    let verdict = verdict.verdict();
    if result.is_some() && verdict != Became::Applied {
        return Err(Failure::Cannot("only what was applied has a result; leave `--result` out".to_owned()));
    }
    let read = |text: &String| {
        serde_json::from_str(text).map_err(|error| Failure::Cannot(format!("the result is no JSON: {error}")))
    };
    let result: Option<Value> = result.as_ref().map(read).transpose()?;
    let by = name_of(person)?;
    let store = writing(common, host)?;
    let said = Resolution { verdict, result, by: by.clone(), why: why.clone() };
    let call = match resolve(&*store, &redactor(host), SystemClock.now_ms(), name, said).await? {
        Resolved::Now(call) => call,
        Resolved::Changed(call) => return Err(Failure::No(not_in_doubt(&call))),
        Resolved::NotFound => return Err(unknown(name)),
    };
    let mut out = stdout();
    if common.json {
        let told =
            json!({"call": call.call_id, "tool": call.tool, "resolution": call.resolution, "effect": call.effect});
        put_json(&mut out, &told)?;
    } else {
        let follows = match verdict {
            Became::Applied => "a repeat gets the recorded answer and runs nothing",
            Became::NotApplied => "a repeat runs",
            Became::Partial => "a repeat is told so and runs nothing",
        };
        writeln!(
            out,
            "{} of `{}` is {}, says {}: {follows}",
            visible(&call.call_id),
            visible(&call.tool),
            verdict.as_str(),
            visible(&by)
        )?;
    }
    Ok(Verdict::Yes)
}

fn not_in_doubt(call: &CallRecord) -> String {
    let id = visible(&call.call_id);
    match &call.resolution {
        Some(said) => {
            let (verdict, by, at) = (visible(&said.verdict), visible(&said.by), format_time(said.at_ms));
            format!("call `{id}` is resolved already: {verdict}, by {by} at {at}")
        }
        None => {
            format!("call `{id}` is not in doubt: it is {}, effect {}", visible(&call.state), visible(&call.effect))
        }
    }
}

async fn let_go(before_ms: Millis, dry: bool, common: &Common, host: Option<&Host>) -> Result<Verdict, Failure> {
    let now = SystemClock.now_ms();
    let age = u64::try_from(now.saturating_sub(before_ms)).unwrap_or(0);
    let age = std::time::Duration::from_millis(age);
    let retention = Retention { results: age, keys: age };
    let pruned = if dry {
        prunable(&*reading(common, host)?, &retention, now).await?
    } else {
        prune(&*writing(common, host)?, &retention, now).await?
    };
    let Pruned { keys, results, tickets, outcomes } = pruned;
    let mut out = stdout();
    if common.json {
        let told = json!({"dry_run": dry, "keys": keys, "results": results, "tickets": tickets, "outcomes": outcomes});
        put_json(&mut out, &told)?;
    } else {
        let verb = if dry { "would let go of" } else { "let go of" };
        writeln!(
            out,
            "{verb} {results} results, {outcomes} outcomes and {tickets} tickets; {keys} keys are facts only"
        )?;
    }
    Ok(Verdict::Yes)
}

fn accept(person: &Person, common: &Common, host: Option<&Host>) -> Result<Verdict, Failure> {
    let Some(path) = named(common, host) else {
        return Err(Failure::Cannot("no database named; give `--db PATH`".to_owned()));
    };
    let by = name_of(person)?;
    let restored = SqliteStore::accept_restore(&path, &by, SystemClock.now_ms())?;
    let mut out = stdout();
    if common.json {
        put_json(&mut out, &json!({"by": by, "events": restored.events, "known": restored.known}))?;
    } else if restored.known > restored.events {
        let lost = restored.known - restored.events;
        let by = visible(&by);
        writeln!(out, "{by} takes it on: at least {lost} events are lost, and what they did may be done again")?;
    } else {
        writeln!(out, "{} takes it on: it goes on from event {}", visible(&by), restored.events)?;
    }
    Ok(Verdict::Yes)
}
