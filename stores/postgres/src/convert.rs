//! Rows as records: one function for each table, with the columns it expects. Not the queries.

use std::borrow::Cow;

use serde_json::{Value, json};
use tokio_postgres::Row;
use tokio_postgres::types::FromSql;
use toolgate_core::keys::GateKey;
use toolgate_core::ledger::KeyState;
use toolgate_core::store::compare::{changed_key, changed_ticket};
use toolgate_core::store::{
    CallRecord, KeyRecord, OutcomeRecord, Stop, StopReach, StoreError, StoreFault, StoredEvent, StoredResult,
    TicketRecord, TicketState, mark,
};

use crate::fault;

/// Columns of [`key`], in its order.
pub(crate) const KEY: &str =
    "key, fingerprint, tool, call_id, state, idempotent, attempts, fence, owner, claimed_ms, settled_ms, seal";

/// Columns of [`ticket`], in its order.
pub(crate) const TICKET: &str =
    "id, call_id, tool, digest, session, task, state, expires_ms, sealed, rest, seal, position";

/// Columns of [`stop`], in its order.
pub(crate) const STOP: &str = "id, session, task, tool, reach, call_id, at_ms, resumed_by, resumed_ms";

/// Columns of [`outcome`], in its order.
pub(crate) const OUTCOME: &str = "session, task, tool, call_id, at_ms, ok, facts";

/// Columns of [`event_from`], in its order.
pub(crate) const EVENT: &str = "seq, call_id, kind, at_ms, body, link";

type Read<T> = Result<T, StoreError>;

/// A text as PostgreSQL takes it, which takes no NUL: that is written as two characters, and the first of
/// them as two, too.
pub(crate) fn stored(text: &str) -> Cow<'_, str> {
    if text.contains(['\0', '\u{1a}']) {
        Cow::Owned(text.replace('\u{1a}', "\u{1a}1").replace('\0', "\u{1a}0"))
    } else {
        Cow::Borrowed(text)
    }
}

/// What [`stored`] was given.
pub(crate) fn original(text: String) -> String {
    if text.contains('\u{1a}') { text.replace("\u{1a}0", "\0").replace("\u{1a}1", "\u{1a}") } else { text }
}

/// A count as PostgreSQL stores it.
pub(crate) fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn malformed(why: impl std::fmt::Display) -> StoreError {
    fault::error(StoreFault::Corrupt, format!("a row can't be read: {why}"))
}

/// A column that is no text.
pub(crate) fn get<'r, T: FromSql<'r>>(row: &'r Row, column: usize) -> Read<T> {
    row.try_get(column).map_err(malformed)
}

pub(crate) fn text(row: &Row, column: usize) -> Read<String> {
    get(row, column).map(original)
}

fn word<T>(row: &Row, column: usize, parse: impl Fn(&str) -> Option<T>) -> Read<T> {
    parse(get(row, column)?).ok_or_else(|| malformed("a word that this version doesn't know"))
}

pub(crate) fn count(row: &Row, column: usize) -> Read<u64> {
    u64::try_from(get::<i64>(row, column)?).map_err(malformed)
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

/// A call, from its column `record`, which stands first.
pub(crate) fn call(row: &Row) -> Read<CallRecord> {
    serde_json::from_str(get(row, 0)?).map_err(malformed)
}

/// A key and its mark.
pub(crate) fn key(row: &Row) -> Read<(KeyRecord, String)> {
    let key = KeyRecord {
        key: text(row, 0)?,
        fingerprint: text(row, 1)?,
        tool: text(row, 2)?,
        call_id: text(row, 3)?,
        state: word(row, 4, KeyState::parse)?,
        idempotent: get(row, 5)?,
        attempts: u32::try_from(get::<i64>(row, 6)?).map_err(malformed)?,
        fence: count(row, 7)?,
        owner: text(row, 8)?,
        claimed_ms: get(row, 9)?,
        settled_ms: get(row, 10)?,
    };
    Ok((key, get(row, 11)?))
}

/// A key, unless it was written without the gate's key.
pub(crate) fn marked_key(gate: &GateKey, (key, seal): (KeyRecord, String)) -> Read<KeyRecord> {
    if mark::key(gate, &key) == seal {
        return Ok(key);
    }
    Err(fault::error(StoreFault::Corrupt, changed_key(&key.key)))
}

/// What stands in the column `rest` of a ticket.
pub(crate) fn rest_of_ticket(ticket: &TicketRecord) -> String {
    let TicketRecord { contract, principal, user, policy, view, created_ms, needed, approvals, .. } = ticket;
    let TicketRecord { decided_by, channel, comment, decided_ms, .. } = ticket;
    let asked = json!({"contract": contract, "principal": principal, "user": user, "policy": policy, "view": view,
        "created_ms": created_ms, "needed": needed, "approvals": approvals, "decided_by": decided_by,
        "channel": channel, "comment": comment, "decided_ms": decided_ms});
    asked.to_string()
}

fn part<T: toolgate_core::serde::de::DeserializeOwned>(rest: &mut Value, name: &str) -> Read<T> {
    serde_json::from_value(rest.get_mut(name).map(Value::take).unwrap_or_default()).map_err(malformed)
}

/// A ticket and its mark.
pub(crate) fn ticket(row: &Row) -> Read<(TicketRecord, String)> {
    let mut rest: Value = serde_json::from_str(get(row, 9)?).map_err(malformed)?;
    let ticket = TicketRecord {
        id: text(row, 0)?,
        call_id: text(row, 1)?,
        tool: text(row, 2)?,
        digest: text(row, 3)?,
        session: text(row, 4)?,
        task: text(row, 5)?,
        state: word(row, 6, TicketState::parse)?,
        expires_ms: get(row, 7)?,
        sealed: get(row, 8)?,
        contract: part(&mut rest, "contract")?,
        principal: part(&mut rest, "principal")?,
        user: part(&mut rest, "user")?,
        policy: part(&mut rest, "policy")?,
        view: part(&mut rest, "view")?,
        created_ms: part(&mut rest, "created_ms")?,
        needed: part(&mut rest, "needed")?,
        approvals: part(&mut rest, "approvals")?,
        decided_by: part(&mut rest, "decided_by")?,
        channel: part(&mut rest, "channel")?,
        comment: part(&mut rest, "comment")?,
        decided_ms: part(&mut rest, "decided_ms")?,
    };
    Ok((ticket, get(row, 10)?))
}

/// A ticket, unless it was written without the gate's key.
pub(crate) fn marked_ticket(gate: &GateKey, (ticket, seal): (TicketRecord, String)) -> Read<TicketRecord> {
    if mark::ticket(gate, &ticket) == seal {
        return Ok(ticket);
    }
    Err(fault::error(StoreFault::Corrupt, changed_ticket(&ticket.id)))
}

pub(crate) fn stop(row: &Row) -> Read<Stop> {
    let by: Option<String> = get(row, 7)?;
    Ok(Stop {
        id: count(row, 0)?,
        session: text(row, 1)?,
        task: text(row, 2)?,
        tool: text(row, 3)?,
        reach: word(row, 4, reach)?,
        call_id: text(row, 5)?,
        at_ms: get(row, 6)?,
        resumed: by.map(original).zip(get(row, 8)?),
    })
}

pub(crate) fn outcome(row: &Row) -> Read<OutcomeRecord> {
    Ok(OutcomeRecord {
        session: text(row, 0)?,
        task: text(row, 1)?,
        tool: text(row, 2)?,
        call_id: text(row, 3)?,
        at_ms: get(row, 4)?,
        ok: get(row, 5)?,
        facts: get(row, 6)?,
    })
}

pub(crate) fn result(row: &Row) -> Read<StoredResult> {
    Ok(StoredResult { call_id: text(row, 0)?, session: text(row, 1)?, sealed: get(row, 2)? })
}

/// An event whose columns begin at `first`.
pub(crate) fn event_from(row: &Row, first: usize) -> Read<StoredEvent> {
    Ok(StoredEvent {
        seq: count(row, first)?,
        call_id: text(row, first + 1)?,
        kind: get(row, first + 2)?,
        at_ms: get(row, first + 3)?,
        body: toolgate_core::json::value_of(get::<&str>(row, first + 4)?).map_err(malformed)?,
        link: get(row, first + 5)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_comes_back_as_it_was() {
        for text in ["", "plain", "\0", "a\0b\u{1a}c\u{1a}0\u{1a}1\0", "\u{1a}\u{1a}\0\0"] {
            assert!(!stored(text).contains('\0'));
            assert_eq!(original(stored(text).into_owned()), text);
        }
    }
}
