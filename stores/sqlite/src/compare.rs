//! Shows the rows of the whole file to the comparison of rows with events. Not the comparison, which is
//! `toolgate_core::store::compare`'s.

use rusqlite::Connection;
use toolgate_core::keys::GateKey;
use toolgate_core::store::StoreError;
use toolgate_core::store::compare::Comparison;

use crate::convert;
use crate::fault;

/// Everything that doesn't fit.
pub(crate) fn compare(conn: &Connection, key: &GateKey) -> Result<Vec<String>, StoreError> {
    let mut seen = Comparison::new(key);
    let sql = format!("SELECT {} FROM events ORDER BY seq", convert::EVENT);
    each(conn, &sql, convert::event, |event| {
        // What can't be read is a break in the chain.
        if let Ok(event) = event {
            seen.event(event);
        }
    })?;
    let sql = format!("SELECT {} FROM keys ORDER BY key", convert::KEY);
    each(conn, &sql, convert::key, |row| match row {
        Ok((row, seal)) => seen.key(&row, &seal),
        Err(why) => seen.unreadable("keys", &why),
    })?;
    let convert = |row: &rusqlite::Row<'_>| {
        Ok((convert::call(row)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?, row.get::<_, String>(3)?))
    };
    each(conn, "SELECT record, call_id, state, code FROM calls ORDER BY id", convert, |row| match row {
        Ok((record, call_id, state, code)) => seen.call(&record, (&call_id, &state, &code)),
        Err(why) => seen.unreadable("calls", &why),
    })?;
    let sql = format!("SELECT {} FROM tickets ORDER BY position", convert::TICKET);
    each(conn, &sql, convert::ticket, |row| match row {
        Ok((row, seal)) => seen.ticket(&row, &seal),
        Err(why) => seen.unreadable("tickets", &why),
    })?;
    let mut count = 0;
    each(conn, &format!("SELECT {} FROM stops ORDER BY id", convert::STOP), convert::stop, |row| match row {
        Ok(stop) => {
            count += 1;
            seen.stop(&stop);
        }
        Err(why) => seen.unreadable("stops", &why),
    })?;
    let mut faults = seen.finish();
    faults.extend(deleted_stops(conn, count)?);
    Ok(faults)
}

fn deleted_stops(conn: &Connection, count: i64) -> Result<Option<String>, StoreError> {
    let sql = "SELECT seq FROM sqlite_sequence WHERE name = 'stops'";
    let made = crate::read::one(conn, sql, [], |row| row.get::<_, i64>(0))?.unwrap_or_default();
    Ok((made > count).then(|| format!("{} stops were deleted", made - count)))
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
        see(convert(row).map_err(|error| error.to_string()));
    }
    Ok(())
}
