//! The queries, each on one connection. Not the threads they run on.

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, Params, Row, params, params_from_iter};
use toolgate_core::clock::boot_ms;
use toolgate_core::keys::GateKey;
use toolgate_core::ledger::KeyState;
use toolgate_core::owner;
use toolgate_core::store::{
    CallFilter, CallRecord, CallStory, FILE_MARK, KeyFilter, KeyRecord, Millis, OldFilter, OldKind, OutcomeRecord,
    Past, Recalled, Stop, StoreError, StoreFault, StoredResult, TicketFilter, TicketRecord, TicketState, mark,
};

use crate::compare::{changed_key, changed_ticket};
use crate::convert;
use crate::fault;

/// At most one row.
pub(crate) fn one<T>(
    conn: &Connection,
    sql: &str,
    values: impl Params,
    convert: fn(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>, StoreError> {
    conn.prepare_cached(sql)
        .and_then(|mut statement| statement.query_row(values, convert).optional())
        .map_err(fault::of_sqlite)
}

/// All rows.
pub(crate) fn all<T>(
    conn: &Connection,
    sql: &str,
    values: impl Params,
    convert: fn(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, StoreError> {
    conn.prepare_cached(sql)
        .and_then(|mut statement| statement.query_map(values, convert)?.collect())
        .map_err(fault::of_sqlite)
}

fn limit(limit: Option<usize>) -> i64 {
    limit.map_or(-1, |limit| i64::try_from(limit).unwrap_or(i64::MAX))
}

/// Refuses a row that was written without the gate's key.
fn marked<T>(
    (row, seal): (T, String),
    mark: impl Fn(&T) -> String,
    changed: impl Fn(&T) -> String,
) -> Result<T, StoreError> {
    if mark(&row) == seal { Ok(row) } else { Err(fault::error(StoreFault::Corrupt, changed(&row))) }
}

fn marked_ticket(gate: &GateKey, row: (TicketRecord, String)) -> Result<TicketRecord, StoreError> {
    marked(row, |ticket| mark::ticket(gate, ticket), |ticket| changed_ticket(&ticket.id))
}

pub(crate) fn key(conn: &Connection, gate: &GateKey, key: &str) -> Result<Option<KeyRecord>, StoreError> {
    let found = one(conn, &format!("SELECT {} FROM keys WHERE key = ?1", convert::KEY), [key], convert::key)?;
    found.map(|row| marked(row, |key| mark::key(gate, key), |key| changed_key(&key.key))).transpose()
}

pub(crate) fn ticket(conn: &Connection, gate: &GateKey, id: &str) -> Result<Option<TicketRecord>, StoreError> {
    let found = one(conn, &format!("SELECT {} FROM tickets WHERE id = ?1", convert::TICKET), [id], convert::ticket)?;
    found.map(|row| marked_ticket(gate, row)).transpose()
}

/// Until when a lease runs.
pub(crate) fn lease(conn: &Connection, holder: &str) -> Result<Option<Millis>, StoreError> {
    one(conn, "SELECT until_ms FROM leases WHERE holder = ?1", [holder], |row| row.get(0))
}

pub(crate) fn open_stops(conn: &Connection, session: &str) -> Result<Vec<Stop>, StoreError> {
    let sql = format!("SELECT {} FROM stops WHERE resumed_ms IS NULL AND session = ?1 ORDER BY id", convert::STOP);
    all(conn, &sql, [session], convert::stop)
}

pub(crate) fn all_open_stops(conn: &Connection) -> Result<Vec<Stop>, StoreError> {
    let sql = format!("SELECT {} FROM stops WHERE resumed_ms IS NULL ORDER BY id", convert::STOP);
    all(conn, &sql, [], convert::stop)
}

pub(crate) fn recall(
    conn: &Connection,
    gate: &GateKey,
    keys: &[String],
    session: &str,
) -> Result<Recalled, StoreError> {
    let keys: Vec<Option<KeyRecord>> = keys.iter().map(|name| key(conn, gate, name)).collect::<Result<_, _>>()?;
    let mut lapsed = false;
    for running in keys.iter().flatten().filter(|key| key.state == KeyState::Running) {
        let until_ms = lease(conn, owner::holder_of(&running.owner))?;
        lapsed |= until_ms.is_some_and(|until| until <= boot_ms());
    }
    Ok(Recalled { keys, stops: open_stops(conn, session)?, lapsed })
}

pub(crate) fn outcomes(
    conn: &Connection,
    (session, task, tool): (&str, &str, &str),
    most: usize,
) -> Result<Vec<OutcomeRecord>, StoreError> {
    let sql = format!(
        "SELECT {} FROM outcomes WHERE session = ?1 AND task = ?2 AND tool = ?3 ORDER BY position DESC LIMIT ?4",
        convert::OUTCOME
    );
    all(conn, &sql, params![session, task, tool, limit(Some(most))], convert::outcome)
}

pub(crate) fn result(conn: &Connection, call_id: &str) -> Result<Option<StoredResult>, StoreError> {
    let sql = "SELECT call_id, session, sealed FROM results WHERE call_id = ?1";
    one(conn, sql, [call_id], convert::result)
}

pub(crate) fn story(conn: &Connection, call_id: &str) -> Result<Option<CallStory>, StoreError> {
    let sql = "SELECT record FROM calls WHERE call_id = ?1";
    let Some(record) = one(conn, sql, [call_id], convert::call)? else {
        return Ok(None);
    };
    let sql = format!("SELECT {} FROM events WHERE call_id = ?1 ORDER BY seq", convert::EVENT);
    let events = all(conn, &sql, [call_id], convert::event)?;
    Ok(Some(CallStory { record, events }))
}

/// The conditions of a filter and their values.
#[derive(Debug, Default)]
struct Conditions {
    sql: String,
    values: Vec<Value>,
}

impl Conditions {
    fn add(&mut self, condition: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.sql.push_str(if self.sql.is_empty() { " WHERE " } else { " AND " });
            self.sql.push_str(condition);
            self.values.push(value.into());
        }
    }

    /// One of several words; any where there are none.
    fn any<'a>(&mut self, column: &str, words: impl Iterator<Item = &'a str>) {
        let words: Vec<String> = words.map(|word| format!("'{word}'")).collect();
        if !words.is_empty() {
            self.sql.push_str(if self.sql.is_empty() { " WHERE " } else { " AND " });
            self.sql.extend([column, " IN (", &words.join(", "), ")"]);
        }
    }

    /// As [`Self::add`]; says to SQLite when the partial index may be used.
    fn add_rare(&mut self, column: &str, common: &str, value: Option<&String>) {
        let rare = value.is_some_and(|value| value != common);
        let condition = if rare { format!("{column} = ? AND {column} <> '{common}'") } else { format!("{column} = ?") };
        self.add(&condition, value.cloned());
    }
}

pub(crate) fn calls(conn: &Connection, filter: &CallFilter) -> Result<Vec<CallRecord>, StoreError> {
    let CallFilter { session, task, tool, code, state, since_ms, until_ms, limit: most } = filter;
    let mut conditions = Conditions::default();
    conditions.add("session = ?", session.clone());
    conditions.add("task = ?", task.clone());
    conditions.add("tool = ?", tool.clone());
    conditions.add_rare("code", "OK", code.as_ref());
    conditions.add_rare("state", "SUCCEEDED", state.as_ref());
    conditions.add("received_ms >= ?", *since_ms);
    conditions.add("received_ms < ?", *until_ms);
    let Conditions { sql, mut values } = conditions;
    values.push(limit(*most).into());
    let sql = format!("SELECT record FROM calls{sql} ORDER BY id DESC LIMIT ?");
    all(conn, &sql, params_from_iter(values), convert::call)
}

/// Both walk the calls of one session in their order, and stop early.
pub(crate) fn past(conn: &Connection, tenant: &str, session: &str, task: &str) -> Result<Past, StoreError> {
    let first = "SELECT record FROM calls WHERE session = ?1 AND coalesce(record ->> '$.tenant', '') = ?2 \
                 ORDER BY id LIMIT 1";
    let first = one(conn, first, [session, tenant], convert::call)?;
    let last = "SELECT max(turn) FROM (SELECT record ->> '$.turn' AS turn FROM calls \
                WHERE session = ?1 AND coalesce(record ->> '$.tenant', '') = ?2 AND task = ?3 AND turn IS NOT NULL \
                ORDER BY id DESC LIMIT ?4)";
    let values = params![session, tenant, task, limit(Some(Past::CALLS))];
    let turn = one(conn, last, values, |row| row.get::<_, Option<i64>>(0))?.flatten();
    let turn = turn.and_then(|turn| u64::try_from(turn).ok());
    let tainted = "SELECT count(*) FROM (SELECT record FROM calls \
                   WHERE session = ?1 AND coalesce(record ->> '$.tenant', '') = ?2 AND task = ?3 \
                   ORDER BY id DESC LIMIT ?4) WHERE record ->> '$.tainted' = 1 OR record ->> '$.untrusted' = 1";
    let values = params![session, tenant, task, limit(Some(Past::CALLS))];
    let tainted = one(conn, tainted, values, |row| row.get::<_, i64>(0))?.unwrap_or_default() > 0;
    Ok(Past { turn, tainted, ..Past::of(first.as_ref(), task) })
}

pub(crate) fn tickets(
    conn: &Connection,
    gate: &GateKey,
    filter: &TicketFilter,
) -> Result<Vec<TicketRecord>, StoreError> {
    let TicketFilter { session, task, tool, digest, state, limit: most } = filter;
    let mut conditions = Conditions::default();
    conditions.add("session = ?", session.clone());
    conditions.add("task = ?", task.clone());
    conditions.add("tool = ?", tool.clone());
    conditions.add("digest = ?", digest.clone());
    conditions.add("state = ?", state.map(TicketState::as_str).map(str::to_owned));
    let Conditions { sql, mut values } = conditions;
    values.push(limit(*most).into());
    let sql = format!("SELECT {} FROM tickets{sql} ORDER BY position DESC LIMIT ?", convert::TICKET);
    let rows = all(conn, &sql, params_from_iter(values), convert::ticket)?;
    rows.into_iter().map(|row| marked_ticket(gate, row)).collect()
}

pub(crate) fn keys(conn: &Connection, gate: &GateKey, filter: &KeyFilter) -> Result<Vec<KeyRecord>, StoreError> {
    let KeyFilter { key, call_id, states, tool, session, before_ms, limit: most } = filter;
    let mut conditions = Conditions::default();
    conditions.add("key = ?", key.clone());
    conditions.add("call_id = ?", call_id.clone());
    conditions.add("tool = ?", tool.clone());
    conditions.add("call_id IN (SELECT call_id FROM calls WHERE session = ?)", session.clone());
    conditions.add("claimed_ms < ?", *before_ms);
    conditions.any("state", states.iter().map(|state| state.as_str()));
    let Conditions { sql, mut values } = conditions;
    values.push(limit(*most).into());
    let sql = format!("SELECT {} FROM keys{sql} ORDER BY claimed_ms DESC, key LIMIT ?", convert::KEY);
    let rows = all(conn, &sql, params_from_iter(values), convert::key)?;
    rows.into_iter().map(|row| marked(row, |key| mark::key(gate, key), |key| changed_key(&key.key))).collect()
}

/// Walks the index of the names, from the one that was last.
pub(crate) fn old(conn: &Connection, filter: &OldFilter) -> Result<Vec<String>, StoreError> {
    let OldFilter { kind, before_ms, after, limit: most } = filter;
    let text = after.clone().unwrap_or_default();
    let position: i64 = text.parse().unwrap_or(0);
    let most = limit(Some(*most));
    let name = |row: &Row<'_>| row.get(0);
    match kind {
        OldKind::Keys => {
            let sql =
                "SELECT key FROM keys WHERE key > ?1 AND settled_ms < ?2 AND state <> 'pruned' ORDER BY key LIMIT ?3";
            all(conn, sql, params![text, before_ms, most], name)
        }
        OldKind::Results => {
            let sql = "SELECT results.call_id FROM results LEFT JOIN calls USING (call_id) WHERE results.call_id > ?1 \
                       AND coalesce(calls.received_ms, 0) < ?2 ORDER BY results.call_id LIMIT ?3";
            all(conn, sql, params![text, before_ms, most], name)
        }
        OldKind::Tickets => {
            let sql = "SELECT id FROM tickets WHERE id > ?1 AND created_ms < ?2 ORDER BY id LIMIT ?3";
            all(conn, sql, params![text, before_ms, most], name)
        }
        OldKind::Outcomes => {
            let sql = "SELECT cast(position AS TEXT) FROM outcomes WHERE position > ?1 AND at_ms < ?2 AND tool <> ?4 \
                       ORDER BY position LIMIT ?3";
            all(conn, sql, params![position, before_ms, most, FILE_MARK], name)
        }
    }
}
