//! Rows as records: one function for each table, with the columns it expects. Not the queries.

use rusqlite::Row;
use rusqlite::types::Type;
use toolgate_core::ledger::KeyState;
use toolgate_core::store::{
    CallRecord, KeyRecord, OutcomeRecord, Stop, StopReach, StoredEvent, StoredResult, TicketRecord, TicketState,
};

/// Columns of [`key`], in its order.
pub(crate) const KEY: &str =
    "key, fingerprint, tool, call_id, state, idempotent, attempts, fence, owner, claimed_ms, settled_ms, seal";

/// Columns of [`ticket`], in its order.
pub(crate) const TICKET: &str = "id, call_id, tool, contract, digest, sealed, session, task, principal, user, policy, \
     view, created_ms, expires_ms, state, decided_by, channel, comment, decided_ms, seal, needed, \
     approvals";

/// Columns of [`stop`], in its order.
pub(crate) const STOP: &str = "id, session, task, tool, reach, call_id, at_ms, resumed_by, resumed_ms";

/// Columns of [`outcome`], in its order.
pub(crate) const OUTCOME: &str = "session, task, tool, call_id, at_ms, ok, facts";

/// Columns of [`event`], in its order.
pub(crate) const EVENT: &str = "seq, call_id, kind, at_ms, body, link";

type Read<T> = rusqlite::Result<T>;

fn malformed(column: usize, why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, why.into())
}

fn word<T>(row: &Row<'_>, column: usize, parse: impl Fn(&str) -> Option<T>) -> Read<T> {
    let text = row.get_ref(column)?.as_str()?;
    parse(text).ok_or_else(|| malformed(column, "a word that this version doesn't know"))
}

fn json<T>(row: &Row<'_>, column: usize, parse: impl Fn(&str) -> serde_json::Result<T>) -> Read<T> {
    parse(row.get_ref(column)?.as_str()?).map_err(|error| malformed(column, error))
}

fn count(row: &Row<'_>, column: usize) -> Read<u64> {
    let number: i64 = row.get(column)?;
    u64::try_from(number).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, number))
}

/// A count as SQLite stores it.
pub(crate) fn stored(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The word of a reach.
pub(crate) const fn reach_word(reach: StopReach) -> &'static str {
    match reach {
        StopReach::Tool => "tool",
        StopReach::Session => "session",
    }
}

fn reach(text: &str) -> Option<StopReach> {
    [StopReach::Tool, StopReach::Session].into_iter().find(|reach| reach_word(*reach) == text)
}

/// A call, from its column `record`.
pub(crate) fn call(row: &Row<'_>) -> Read<CallRecord> {
    json(row, 0, |text| serde_json::from_str(text))
}

/// A key and its mark.
pub(crate) fn key(row: &Row<'_>) -> Read<(KeyRecord, String)> {
    let key = KeyRecord {
        key: row.get(0)?,
        fingerprint: row.get(1)?,
        tool: row.get(2)?,
        call_id: row.get(3)?,
        state: word(row, 4, KeyState::parse)?,
        idempotent: row.get(5)?,
        attempts: row.get(6)?,
        fence: count(row, 7)?,
        owner: row.get(8)?,
        claimed_ms: row.get(9)?,
        settled_ms: row.get(10)?,
    };
    Ok((key, row.get(11)?))
}

/// A ticket and its mark.
pub(crate) fn ticket(row: &Row<'_>) -> Read<(TicketRecord, String)> {
    let ticket = TicketRecord {
        id: row.get(0)?,
        call_id: row.get(1)?,
        tool: row.get(2)?,
        contract: row.get(3)?,
        digest: row.get(4)?,
        sealed: row.get(5)?,
        session: row.get(6)?,
        task: row.get(7)?,
        principal: row.get(8)?,
        user: row.get(9)?,
        policy: row.get(10)?,
        view: json(row, 11, |text| serde_json::from_str(text))?,
        created_ms: row.get(12)?,
        expires_ms: row.get(13)?,
        state: word(row, 14, TicketState::parse)?,
        decided_by: row.get(15)?,
        channel: row.get(16)?,
        comment: row.get(17)?,
        decided_ms: row.get(18)?,
        needed: row.get(20)?,
        approvals: json(row, 21, |text| serde_json::from_str(text))?,
    };
    Ok((ticket, row.get(19)?))
}

pub(crate) fn stop(row: &Row<'_>) -> Read<Stop> {
    let by: Option<String> = row.get(7)?;
    Ok(Stop {
        id: count(row, 0)?,
        session: row.get(1)?,
        task: row.get(2)?,
        tool: row.get(3)?,
        reach: word(row, 4, reach)?,
        call_id: row.get(5)?,
        at_ms: row.get(6)?,
        resumed: by.zip(row.get(8)?),
    })
}

pub(crate) fn outcome(row: &Row<'_>) -> Read<OutcomeRecord> {
    Ok(OutcomeRecord {
        session: row.get(0)?,
        task: row.get(1)?,
        tool: row.get(2)?,
        call_id: row.get(3)?,
        at_ms: row.get(4)?,
        ok: row.get(5)?,
        facts: row.get(6)?,
    })
}

pub(crate) fn result(row: &Row<'_>) -> Read<StoredResult> {
    Ok(StoredResult { call_id: row.get(0)?, session: row.get(1)?, sealed: row.get(2)? })
}

pub(crate) fn event(row: &Row<'_>) -> Read<StoredEvent> {
    Ok(StoredEvent {
        seq: count(row, 0)?,
        call_id: row.get(1)?,
        kind: row.get(2)?,
        at_ms: row.get(3)?,
        body: json(row, 4, |text| toolgate_core::json::value_of(text))?,
        link: row.get(5)?,
    })
}
