//! What happens in a run, for both transcripts: [`super::text`] for people, [`super::json`] for machines.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;

use toolgate::alert::Alert;
use toolgate::store::{CallRecord, TicketRecord};
use toolgate::{Task, ToolResult};

/// One thing that happened.
#[derive(Debug)]
pub(crate) enum Event<'a> {
    /// The run begins; where things are kept.
    Begin(&'a [(&'a str, &'a Path)]),
    /// A headline.
    Note(&'a str),
    /// The user asks.
    User(&'a str),
    /// The model says something beside its calls.
    Said(&'a str),
    /// The host goes on in this task.
    Task(&'a Task),
    /// A call was answered.
    Call(&'a Answered<'a>),
    /// A person decided.
    Decided(&'a TicketRecord),
    /// A person let the session go on; so many stops ended.
    Resumed { by: &'a str, stops: u64 },
    /// Somebody was alerted.
    Alert(&'a Alert),
    /// The whole record, oldest first.
    Audit(&'a [CallRecord]),
    /// The run is over; what didn't go as recorded, and what becomes of the files.
    End { calls: usize, surprises: &'a [String], fate: Option<String> },
}

/// A call and its answer.
#[derive(Debug)]
pub(crate) struct Answered<'a> {
    /// Position in the story, from 1.
    pub(crate) number: usize,
    /// The tool's name as the model wrote it.
    pub(crate) tool: &'a str,
    /// The arguments as the model wrote them, redacted.
    pub(crate) arguments: Option<String>,
    /// Whether this is the stored call of a ticket, not a new one.
    pub(crate) resumed: bool,
    /// What the model gets.
    pub(crate) result: &'a ToolResult,
    /// What the auditor reads; `None` for an answer that has no record of its own.
    pub(crate) record: Option<&'a CallRecord>,
}

/// Writes events to standard output.
#[derive(Debug)]
pub(crate) struct Transcript {
    json: bool,
    colours: bool,
}

impl Transcript {
    /// For machines, or for people: with colours where a terminal shows them and nobody asked for none.
    pub(crate) fn new(json: bool) -> Self {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self { json, colours: !json && !unwanted && io::stdout().is_terminal() }
    }

    /// Writes one event.
    pub(crate) fn tell(&self, event: &Event<'_>) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if self.json {
            super::json::lines(event).iter().try_for_each(|line| writeln!(out, "{line}"))?;
            return out.flush();
        }
        out.write_all(super::text::Page::new(self.colours).of(event).as_bytes())?;
        out.flush()?;
        drop(out);
        match event {
            Event::Audit(records) => super::audit::print(records),
            _ => Ok(()),
        }
    }
}
