//! `doctor`: how the store is, and what that means. Changes nothing.

use std::io::{self, Write};

use serde_json::{Map, Value, json};
use toolgate_core::clock::{Clock as _, SystemClock};
use toolgate_core::store::{CallFilter, Store, StoreError, StoreReport, TicketFilter, TicketState};

use crate::args::Common;
use crate::decide::{named, reading};
use crate::host::Host;
use crate::out::{Failure, Verdict, put_json, stdout};
use crate::text::{BAD, GOOD, WARN, styled, visible};

/// What people have to see to, beside the store's own facts.
struct Open {
    pending: usize,
    running: usize,
    unknown: usize,
    stops: usize,
}

pub(crate) async fn run(common: &Common, host: Option<&Host>) -> Result<Verdict, Failure> {
    let mut out = stdout();
    // A file that can't be opened is an answer, too; one that isn't named or isn't there is none.
    let there = named(common, host).is_some_and(|path| path.exists());
    let store = match reading(common, host) {
        Ok(store) => store,
        Err(Failure::Cannot(fault)) if there => {
            if common.json {
                put_json(&mut out, &json!({"healthy": false, "faults": [fault]}))?;
            } else {
                writeln!(out, "{} {fault}", styled(BAD, "fault:"))?;
            }
            return Ok(Verdict::No);
        }
        Err(failure) => return Err(failure),
    };
    let report = store.report().await?;
    let open = open(&*store).await?;
    if common.json {
        put_json(&mut out, &as_json(&report, &open))?;
    } else {
        put(&mut out, &report, &open)?;
    }
    Ok(Verdict::of(report.faults.is_empty()))
}

async fn open(store: &dyn Store) -> Result<Open, StoreError> {
    let now = SystemClock.now_ms();
    let pending = TicketFilter { state: Some(TicketState::Pending), ..TicketFilter::default() };
    let in_state = |state: &str| CallFilter { state: Some(state.to_owned()), ..CallFilter::default() };
    let tickets = store.tickets(&pending).await?;
    Ok(Open {
        pending: tickets.iter().filter(|ticket| ticket.state_at(now) == TicketState::Pending).count(),
        running: store.calls(&in_state("RUNNING")).await?.len(),
        unknown: store.calls(&in_state("UNKNOWN")).await?.len(),
        stops: store.stops().await?.len(),
    })
}

fn as_json(report: &StoreReport, open: &Open) -> Value {
    let facts: Map<String, Value> = report.facts.iter().map(|(name, value)| (name.clone(), fact(value))).collect();
    json!({
        "healthy": report.faults.is_empty(),
        "place": report.place,
        "facts": facts,
        "faults": report.faults,
        "pending_tickets": open.pending,
        "running_calls": open.running,
        "calls_in_doubt": open.unknown,
        "open_stops": open.stops,
    })
}

/// A fact that is a number is one for machines, too.
fn fact(value: &str) -> Value {
    match value.parse::<u64>() {
        Ok(number) if number.to_string() == value => number.into(),
        _ => value.into(),
    }
}

/// What a fact of the store says.
fn meaning(name: &str) -> &'static str {
    match name {
        "sqlite_version" => "the library that reads and writes the file",
        "application_id" => "marks the file as toolgate's",
        "user_version" => "version of the tables",
        "journal_mode" => "`wal` lets readers and the writer work at once",
        "calls" => "every call has a record, whatever became of it",
        "events" => "links of the chain",
        "keys" => "business operations that are remembered",
        "tickets" => "asked of people so far",
        "results" => "whole results that are kept, sealed",
        "file_bytes" => "the database",
        "wal_bytes" => "the log beside it",
        "chain_head" => "last event and its link; kept elsewhere, it proves that nothing was cut off",
        _ => "",
    }
}

fn put(out: &mut dyn Write, report: &StoreReport, open: &Open) -> io::Result<()> {
    writeln!(out, "{}", visible(&report.place))?;
    let people = ["running_calls", "pending_tickets", "open_stops"];
    for (name, value) in report.facts.iter().filter(|(name, _)| !people.contains(&name.as_str())) {
        let meaning = meaning(name);
        let gap = if meaning.is_empty() { "" } else { "  -- " };
        writeln!(out, "  {:<16} {}{gap}{meaning}", visible(name), visible(value))?;
    }
    let counts = [
        ("pending tickets", open.pending, "people are asked: `approvals list`"),
        ("running calls", open.running, "in a living process, or named `UNKNOWN` when the agent starts again"),
        ("calls in doubt", open.unknown, "they may or may not have happened: `audit list --state UNKNOWN`"),
        ("open stops", open.stops, "effectful calls are refused until `tasks resume`"),
    ];
    for (name, count, meaning) in counts {
        let padded = format!("{name:<16} {count}");
        let line = if count == 0 { padded } else { format!("{}  -- {meaning}", styled(WARN, &padded)) };
        writeln!(out, "  {line}")?;
    }
    if report.faults.is_empty() {
        let is_file = report.facts.iter().any(|(name, _)| name == "sqlite_version");
        let looked_at =
            if is_file { "the file, the whole chain and the mode of the key file" } else { "what the store checks" };
        return writeln!(out, "{}: no fault found in {looked_at}", styled(GOOD, "healthy"));
    }
    for fault in &report.faults {
        writeln!(out, "{} {}", styled(BAD, "fault:"), visible(fault))?;
    }
    writeln!(out, "keep a copy of the file as it is before anything else")
}
