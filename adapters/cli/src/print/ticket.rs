//! Tickets for people: the list, and the whole view of one. Nothing in a view is cut.

use std::io::{self, Write};

use toolgate_core::clock::format_time;
use toolgate_core::store::{Millis, TicketRecord, TicketState};

use super::lines::{put, put_all};
use crate::table::{self, Cell};
use crate::text::{BAD, BOLD, DIM, GOOD, WARN, distance, styled, ticket_fate, visible};

/// Prints one line for each ticket: its id, state, tool, risk, what is asked, session, task, agent and end.
///
/// # Errors
/// As `out` says.
pub fn ticket_list(out: &mut dyn Write, tickets: &[TicketRecord], now: Millis) -> io::Result<()> {
    if tickets.is_empty() {
        return writeln!(out, "no tickets");
    }
    let row = |ticket: &TicketRecord| {
        let state = ticket.state_at(now);
        let (style, ends) = match state {
            TicketState::Pending => (WARN, distance(ticket.expires_ms, now)),
            TicketState::Approved => (GOOD, distance(ticket.expires_ms, now)),
            TicketState::Denied | TicketState::Expired => (BAD, "-".to_owned()),
            TicketState::Spent => (DIM, "-".to_owned()),
        };
        vec![
            Cell::plain(&ticket.id),
            Cell::styled(style, state.as_str()),
            Cell::plain(&ticket.tool),
            Cell::plain(&ticket.view.risk),
            Cell::plain(&ticket.session),
            Cell::plain(&ticket.task),
            Cell::plain(&ticket.principal),
            Cell::plain(&ends),
            Cell::plain(ticket.decided_by.as_deref().unwrap_or("-")),
            Cell::plain(&ticket.view.what),
        ]
    };
    let rows: Vec<Vec<Cell>> = tickets.iter().map(row).collect();
    let names = ["ticket", "state", "tool", "risk", "session", "task", "agent", "expires", "decided by", "what"];
    table::put(out, &names, &rows)
}

/// Prints all that a person needs to decide: what, why, impact, alternatives, each argument on a line
/// of its own, risk, who asks for whom and where, and until when.
///
/// # Errors
/// As `out` says.
pub fn ticket_view(out: &mut dyn Write, ticket: &TicketRecord, now: Millis) -> io::Result<()> {
    let view = &ticket.view;
    put(out, "ticket", &styled(BOLD, &visible(&ticket.id)))?;
    put(out, "what", &styled(BOLD, &visible(&view.what)))?;
    let why = view
        .why
        .as_deref()
        .map_or_else(|| "the model gave no reason".to_owned(), |why| format!("{} (the model's words)", visible(why)));
    put(out, "why", &why)?;
    for (label, text) in [
        ("impact", &view.impact),
        ("alternatives", &view.alternatives),
        ("policy", &view.policy_reason),
        ("called by", &view.called_by),
    ] {
        if let Some(text) = text {
            put_all(out, label, &text.lines().map(visible).collect::<Vec<_>>())?;
        }
    }
    let arguments: Vec<String> = view.arguments.iter().map(|line| visible(line)).collect();
    if arguments.is_empty() {
        put(out, "arguments", "none")?;
    }
    put_all(out, "arguments", &arguments)?;
    let risk = if view.risk == "dangerous" { styled(BAD, "dangerous") } else { visible(&view.risk) };
    put(out, "risk", &risk)?;
    put(out, "tool", &visible(&ticket.tool))?;
    let behalf = ticket.user.as_deref().map(|user| format!(" on behalf of {}", visible(user))).unwrap_or_default();
    put(out, "agent", &format!("{}{behalf}", visible(&ticket.principal)))?;
    put(out, "within", &format!("session {}, task {}", visible(&ticket.session), visible(&ticket.task)))?;
    put(out, "call", &visible(&ticket.call_id))?;
    put(out, "asked", &format_time(ticket.created_ms))?;
    let ends = format!("{} ({})", format_time(ticket.expires_ms), distance(ticket.expires_ms, now));
    put(out, "expires", &ends)?;
    if ticket.state_at(now) != TicketState::Pending {
        put(out, "decided", &ticket_fate(ticket, now))?;
    }
    match &ticket.comment {
        Some(comment) => put(out, "comment", &visible(comment)),
        None => Ok(()),
    }
}
