//! How a store is: the whole file looked at, the whole chain walked. Takes long on a big one.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use rusqlite::Connection;
use toolgate_core::key_file;
use toolgate_core::keys::GateKey;
use toolgate_core::store::chain::{Head, Linked, Walk};
use toolgate_core::store::{StoreError, StoreFault, StoreReport};

use crate::compare::compare;
use crate::fault;
use crate::place::{beside, key_path};
use crate::read;

/// Names and the queries that count them.
const COUNTS: [(&str, &str); 8] = [
    ("calls", "SELECT count(*) FROM calls"),
    ("running_calls", "SELECT count(*) FROM calls WHERE state = 'RUNNING'"),
    ("events", "SELECT count(*) FROM events"),
    ("keys", "SELECT count(*) FROM keys"),
    ("tickets", "SELECT count(*) FROM tickets"),
    ("pending_tickets", "SELECT count(*) FROM tickets WHERE state = 'pending'"),
    ("results", "SELECT count(*) FROM results"),
    ("open_stops", "SELECT count(*) FROM stops WHERE resumed_ms IS NULL"),
];

/// Looks at everything.
pub(crate) fn report(conn: &Connection, path: &Path, key: &GateKey) -> Result<StoreReport, StoreError> {
    let mut facts = vec![("sqlite_version".to_owned(), rusqlite::version().to_owned())];
    for pragma in ["application_id", "user_version", "journal_mode"] {
        let value = conn.pragma_query_value(None, pragma, |row| row.get::<_, rusqlite::types::Value>(0));
        facts.push((pragma.to_owned(), shown(&value.map_err(fault::of_sqlite)?)));
    }
    for (name, sql) in COUNTS {
        let count = read::one(conn, sql, [], |row| row.get::<_, i64>(0))?.unwrap_or_default();
        facts.push((name.to_owned(), count.to_string()));
    }
    for (name, suffix) in [("file_bytes", ""), ("wal_bytes", "-wal")] {
        let bytes = std::fs::metadata(beside(path, suffix)).map_or(0, |about| about.len());
        facts.push((name.to_owned(), bytes.to_string()));
    }
    let mut faults = quick_check(conn)?;
    faults.extend(key_file_fault(path));
    let (head, broken) = verify(conn, key)?;
    faults.extend(broken);
    faults.extend(compare(conn, key)?);
    facts.push(("chain_head".to_owned(), format!("{} {}", head.seq, head.link)));
    Ok(StoreReport { place: format!("sqlite {}", path.display()), facts, faults })
}

fn shown(value: &rusqlite::types::Value) -> String {
    match value {
        rusqlite::types::Value::Integer(number) => number.to_string(),
        rusqlite::types::Value::Text(text) => text.clone(),
        other => format!("{other:?}"),
    }
}

fn quick_check(conn: &Connection) -> Result<Vec<String>, StoreError> {
    match read::all(conn, "PRAGMA quick_check", [], |row| row.get::<_, String>(0)) {
        Ok(lines) => Ok(lines.into_iter().filter(|line| line != "ok").collect()),
        Err(error) if error.fault() == StoreFault::Corrupt => Ok(vec![error.to_string()]),
        Err(error) => Err(error),
    }
}

fn key_file_fault(path: &Path) -> Option<String> {
    match std::fs::metadata(key_path(path)) {
        Ok(about) => key_file::exposed(about.mode()),
        Err(error) => Some(StoreError::of_file("key file", &error).to_string()),
    }
}

/// Walks the chain from its start. What is verified is the stored text of each body.
fn verify(conn: &Connection, key: &GateKey) -> Result<(Head, Vec<String>), StoreError> {
    let mut walk = Walk::default();
    let walked = conn.prepare_cached("SELECT seq, call_id, kind, at_ms, body, link FROM events ORDER BY seq").and_then(
        |mut statement| {
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let event = Linked {
                    call_id: row.get_ref(1)?.as_str()?,
                    kind: row.get_ref(2)?.as_str()?,
                    at_ms: row.get(3)?,
                    body: row.get_ref(4)?.as_str()?,
                };
                let seq = u64::try_from(row.get::<_, i64>(0)?).unwrap_or_default();
                walk.see(key, seq, row.get_ref(5)?.as_str()?, &event);
            }
            Ok(())
        },
    );
    let (head, mut faults) = walk.finish();
    match walked.map_err(fault::of_sqlite) {
        Ok(()) => {}
        Err(error) if error.fault() == StoreFault::Corrupt => {
            faults.push(format!("the chain can't be read: {error}"));
        }
        Err(error) => return Err(error),
    }
    Ok((head, faults))
}
