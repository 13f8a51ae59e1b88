//! Whether the rows are what the chained events say of them. Not the walk along the chain, which
//! says whether the events themselves can be believed.

use std::collections::{HashMap, HashSet};

use rusqlite::Connection;
use serde_json::Value;
use toolgate_core::keys::GateKey;
use toolgate_core::ledger::KeyState;
use toolgate_core::store::{CallRecord, StoreError, StoredEvent, mark};

use crate::convert;
use crate::fault;

/// Most faults that are told one by one.
const MOST_FAULTS: usize = 20;

/// What events say about other tables.
#[derive(Debug, Default)]
struct Told {
    /// By call, the digest of the last record that an event carries.
    records: HashMap<String, Option<String>>,
    /// By ticket, its state and who decided it.
    decided: HashMap<String, (String, String)>,
    tickets: HashSet<String>,
    keys: HashSet<String>,
    resumed: HashSet<u64>,
}

/// Everything that doesn't fit.
pub(crate) fn compare(conn: &Connection, key: &GateKey) -> Result<Vec<String>, StoreError> {
    let mut told = told(conn, key)?;
    let mut faults = calls(conn, key, &mut told)?;
    faults.extend(tickets(conn, key, &mut told)?);
    faults.extend(keys(conn, key, &mut told)?);
    faults.extend(stops(conn, &told)?);
    let untold = faults.len().saturating_sub(MOST_FAULTS);
    if untold > 0 {
        faults.truncate(MOST_FAULTS);
        faults.push(format!("{untold} more faults where rows and events differ"));
    }
    Ok(faults)
}

/// Each row of a query that can be read; for others what is wrong.
fn each<T>(
    conn: &Connection,
    sql: &str,
    convert: fn(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    mut see: impl FnMut(Result<T, String>),
) -> Result<(), StoreError> {
    let mut statement = conn.prepare_cached(sql).map_err(fault::of_sqlite)?;
    let mut rows = statement.query([]).map_err(fault::of_sqlite)?;
    while let Some(row) = rows.next().map_err(fault::of_sqlite)? {
        see(convert(row).map_err(|error| format!("a row can't be read: {error}")));
    }
    Ok(())
}

fn digest(key: &GateKey, record: &CallRecord) -> String {
    let text = serde_json::to_string(record).unwrap_or_default();
    key.digest("toolgate.report.record.v1", &[text.as_bytes()])
}

fn told(conn: &Connection, key: &GateKey) -> Result<Told, StoreError> {
    let mut told = Told::default();
    let sql = format!("SELECT {} FROM events ORDER BY seq", convert::EVENT);
    each(conn, &sql, convert::event, |event| {
        // What can't be read is a break in the chain.
        if let Ok(event) = event {
            told.note(key, event);
        }
    })?;
    Ok(told)
}

fn text(value: &Value, name: &str) -> String {
    value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

impl Told {
    fn note(&mut self, key: &GateKey, event: StoredEvent) {
        let StoredEvent { call_id, kind, body, .. } = event;
        match kind.as_str() {
            "decided" => {
                self.decided.insert(text(&body, "ticket"), (text(&body, "state"), text(&body, "by")));
            }
            "resumed" => self.resumed.extend(body.get("stop").and_then(Value::as_u64)),
            "asked" => self.tickets.extend(body.pointer("/ticket/id").and_then(Value::as_str).map(str::to_owned)),
            "pruned" => {
                for id in body.get("tickets").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
                {
                    self.tickets.remove(id);
                    self.decided.remove(id);
                }
            }
            "started" => self.keys.extend(body.get("key").and_then(Value::as_str).map(str::to_owned)),
            _ => {}
        }
        let carried = body.get("call_id").is_some().then(|| serde_json::from_value::<CallRecord>(body).ok()).flatten();
        let last = self.records.entry(call_id).or_default();
        if let Some(record) = carried {
            *last = Some(digest(key, &record));
        }
    }
}

fn calls(conn: &Connection, key: &GateKey, told: &mut Told) -> Result<Vec<String>, StoreError> {
    let mut faults = Vec::new();
    let convert = |row: &rusqlite::Row<'_>| {
        Ok((convert::call(row)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?, row.get::<_, String>(3)?))
    };
    each(conn, "SELECT record, call_id, state, code FROM calls ORDER BY id", convert, |row| match row {
        Err(error) => faults.push(format!("calls: {error}")),
        Ok((record, call_id, state, code)) => {
            let differs = record.call_id != call_id || record.state != state || record.code != code;
            match told.records.remove(&call_id) {
                None => faults.push(format!("call `{call_id}` has no event: events were deleted")),
                Some(last) if differs || last.as_ref().is_some_and(|last| *last != digest(key, &record)) => {
                    faults.push(format!("the record of call `{call_id}` isn't what its last event says"));
                }
                Some(_) => {}
            }
        }
    })?;
    let left = told.records.keys().filter(|call_id| !call_id.is_empty());
    faults.extend(left.map(|call_id| format!("call `{call_id}` has events and no record: its row was deleted")));
    Ok(faults)
}

fn tickets(conn: &Connection, key: &GateKey, told: &mut Told) -> Result<Vec<String>, StoreError> {
    let mut faults = Vec::new();
    let sql = format!("SELECT {} FROM tickets ORDER BY position", convert::TICKET);
    each(conn, &sql, convert::ticket, |row| match row {
        Err(error) => faults.push(format!("tickets: {error}")),
        Ok((ticket, seal)) => {
            told.tickets.remove(&ticket.id);
            let decided = told.decided.remove(&ticket.id);
            let by = decided.as_ref().map(|(_, by)| by);
            if mark::ticket(key, &ticket) != seal {
                faults.push(changed_ticket(&ticket.id));
            } else if ticket.decided_by.as_ref() != by {
                faults.push(format!("ticket `{}` and the event of its decision differ", ticket.id));
            }
        }
    })?;
    let gone = told.tickets.iter().chain(told.decided.keys()).collect::<HashSet<_>>();
    faults.extend(gone.into_iter().map(|id| format!("ticket `{id}` has events and no row: it was deleted")));
    Ok(faults)
}

fn keys(conn: &Connection, key: &GateKey, told: &mut Told) -> Result<Vec<String>, StoreError> {
    let mut faults = Vec::new();
    let mut unspent = Vec::new();
    let sql = format!("SELECT {} FROM keys ORDER BY key", convert::KEY);
    each(conn, &sql, convert::key, |row| match row {
        Err(error) => faults.push(format!("keys: {error}")),
        Ok((row, seal)) => {
            told.keys.remove(&row.key);
            if mark::key(key, &row) != seal {
                faults.push(changed_key(&row.key));
            } else if row.state == KeyState::FailedNoEffect {
                unspent.push(row);
            }
        }
    })?;
    for row in unspent {
        let sql = "SELECT record FROM calls WHERE call_id = ?1";
        let call = crate::read::one(conn, sql, [&row.call_id], convert::call)?;
        if call.is_some_and(|call| call.effect == "done") {
            faults
                .push(format!("key `{}` says that nothing happened, its call `{}` that it did", row.key, row.call_id));
        }
    }
    faults.extend(told.keys.iter().map(|key| format!("key `{key}` was claimed and has no row: it was deleted")));
    Ok(faults)
}

fn stops(conn: &Connection, told: &Told) -> Result<Vec<String>, StoreError> {
    let mut faults = Vec::new();
    let mut count = 0;
    each(conn, &format!("SELECT {} FROM stops ORDER BY id", convert::STOP), convert::stop, |row| match row {
        Err(error) => faults.push(format!("stops: {error}")),
        Ok(stop) => {
            count += 1;
            if stop.resumed.is_some() && !told.resumed.contains(&stop.id) {
                faults.push(format!("stop {} was ended without an event", stop.id));
            }
        }
    })?;
    let sql = "SELECT seq FROM sqlite_sequence WHERE name = 'stops'";
    let made = crate::read::one(conn, sql, [], |row| row.get::<_, i64>(0))?.unwrap_or_default();
    if made > count {
        faults.push(format!("{} stops were deleted", made - count));
    }
    Ok(faults)
}

/// What is said of a ticket whose mark is wrong.
pub(crate) fn changed_ticket(id: &str) -> String {
    format!("ticket `{id}` was changed outside of the gate")
}

/// What is said of a key whose mark is wrong.
pub(crate) fn changed_key(key: &str) -> String {
    format!("idempotency key `{key}` was changed outside of the gate")
}
