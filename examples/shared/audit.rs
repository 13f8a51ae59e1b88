//! The audit trail of a run: read from the store, as the command `toolgate audit list` reads it.

use std::fmt::Write as _;

use toolgate::Session;
use toolgate::clock::format_time;
use toolgate::store::{CallFilter, CallRecord, Store, StoreError};

/// What is recorded about these sessions, oldest first.
pub(crate) async fn records(store: &dyn Store, sessions: &[&Session]) -> Result<Vec<CallRecord>, StoreError> {
    let mut records = Vec::new();
    for session in sessions {
        let filter = CallFilter { session: Some(session.id().to_owned()), ..CallFilter::default() };
        records.extend(store.calls(&filter).await?);
    }
    records.sort_by_key(|record| record.received_ms);
    Ok(records)
}

/// The records as a table.
pub(crate) fn table(records: &[CallRecord]) -> String {
    let mut text = format!(
        "{:<8}  {:<11}  {:<20}  {:<12}  {:<22}  {:<7}  rule, people\n",
        "time", "task", "tool", "stage", "code", "effect"
    );
    for record in records {
        let time = format_time(record.received_ms);
        let time = time.get(11..19).unwrap_or(&time);
        let tool: String = record.tool.chars().take(20).collect();
        let _ = writeln!(
            text,
            "{time:<8}  {:<11}  {tool:<20}  {:<12}  {:<22}  {:<7}  {}",
            record.task_type,
            record.stage,
            record.code,
            record.effect,
            remarks(record)
        );
    }
    text
}

fn remarks(record: &CallRecord) -> String {
    let ticket = record.ticket.as_ref();
    let decided = ticket.and_then(|ticket| Some(format!("{} by {}", ticket.state, ticket.by.as_ref()?)));
    let replay = record.replay_of.as_ref().map(|_| "recorded result".to_owned());
    let rule = record.rule.clone().filter(|rule| !rule.is_empty());
    [rule, decided, replay].into_iter().flatten().collect::<Vec<_>>().join(", ")
}
