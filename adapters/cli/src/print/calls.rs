//! The audit trail as a table. Not its order, which is the caller's.

use std::io::{self, Write};

use toolgate_core::clock::format_time;
use toolgate_core::store::{ApprovalRecord, CallRecord};

use crate::table::{self, Cell};
use crate::text::{BAD, DIM, WARN, code_style};

const NAMES: [&str; 10] = ["time", "call", "task", "tool", "risk", "code", "stage", "effect", ">ms", "approved by"];

/// Prints one line for each call: time, call, task, tool, risk, code, stage, effect, milliseconds from
/// receipt to answer, and who approved or denied it.
///
/// # Errors
/// As `out` says.
pub fn audit_table(out: &mut dyn Write, calls: &[CallRecord]) -> io::Result<()> {
    if calls.is_empty() {
        return writeln!(out, "no calls");
    }
    let rows: Vec<Vec<Cell>> = calls.iter().map(row).collect();
    table::put(out, &NAMES, &rows)
}

fn row(call: &CallRecord) -> Vec<Cell> {
    let or_dash = |text: Option<&str>| match text {
        Some(text) if !text.is_empty() => text.to_owned(),
        _ => "-".to_owned(),
    };
    let code = if call.code.is_empty() { &call.state } else { &call.code };
    let effect = match call.effect.as_str() {
        "unknown" => Cell::styled(BAD, "unknown"),
        "partial" => Cell::styled(WARN, "partial"),
        effect => Cell::plain(&or_dash(Some(effect))),
    };
    let risk = match call.risk.as_deref() {
        Some("dangerous") => Cell::styled(WARN, "dangerous"),
        risk => Cell::plain(&or_dash(risk)),
    };
    vec![
        Cell::styled(DIM, &format_time(call.received_ms)),
        Cell::plain(&call.call_id),
        Cell::plain(&or_dash(Some(&call.task))),
        Cell::plain(&or_dash(Some(&call.tool))),
        risk,
        Cell::styled(code_style(&call.code), code),
        Cell::plain(&or_dash(Some(&call.stage))),
        effect,
        Cell::plain(&or_dash(elapsed(call).map(|ms| ms.to_string()).as_deref())),
        Cell::plain(&or_dash(call.ticket.as_ref().and_then(approver).as_deref())),
    ]
}

fn approver(ticket: &ApprovalRecord) -> Option<String> {
    let by = ticket.by.as_deref()?;
    Some(if ticket.state == "denied" { format!("denied by {by}") } else { by.to_owned() })
}

/// Milliseconds from receipt to answer; a wait for a person counts.
pub(super) fn elapsed(call: &CallRecord) -> Option<i64> {
    call.finished_ms.map(|end| end.saturating_sub(call.received_ms).max(0))
}
