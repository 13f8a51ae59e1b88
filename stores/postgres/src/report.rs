//! How the store is: what the server does to keep its word, counts, every chain walked, and rows against events,
//! all of one moment. Takes long on a big one.

use std::sync::PoisonError;

use deadpool_postgres::Object;
use tokio_postgres::{IsolationLevel, Row, Transaction};
use toolgate_core::keys::GateKey;
use toolgate_core::store::chain::{Head, Linked, Walk};
use toolgate_core::store::compare::Comparison;
use toolgate_core::store::{Millis, StoreError, StoreReport};

use crate::connect::Place;
use crate::convert::{self, EVENT, KEY, STOP, TICKET};
use crate::options::{KeySource, PostgresOptions};
use crate::session::Failure;
use crate::writer::ChainName;
use crate::{SCHEMA_VERSION, chain};

/// Rows that are read at a time.
const PAGE: i64 = 5_000;

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

/// What a store knows of itself.
#[derive(Debug, Clone)]
pub(crate) struct Facts {
    place: String,
    schema: String,
    source: KeySource,
    chain: ChainName,
}

impl Facts {
    pub(crate) fn new(place: &Place, options: &PostgresOptions) -> Self {
        let (place, schema) = (place.shown(), place.schema().to_owned());
        Self { place, schema, source: options.key.clone(), chain: ChainName::default() }
    }

    pub(crate) fn chain(self, chain: ChainName) -> Self {
        Self { chain, ..self }
    }
}

type Told = Vec<(String, String)>;

/// Looks at everything.
pub(crate) async fn report(
    mut object: Object,
    own: &Facts,
    gate: &GateKey,
    shift: Millis,
) -> Result<StoreReport, Failure> {
    let frame = object.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true).start();
    let wrapped = frame.await?;
    let frame: &Transaction<'_> = &wrapped;
    let name = own.chain.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let mut facts: Told = Vec::new();
    let mut add = |name: &str, value: String| facts.push((name.to_owned(), value));
    add("schema_version", SCHEMA_VERSION.to_string());
    add("key", own.source.place());
    add("chain", if name.is_empty() { "none: opened for reading".to_owned() } else { name });
    add("clock", format!("the server's; it is {shift} ms ahead of this host's"));
    for (name, sql) in COUNTS {
        add(name, frame.query_one(sql, &[]).await?.try_get::<_, i64>(0)?.to_string());
    }
    let mut faults = server(frame, &mut facts).await?;
    facts.push(("events_append_only".to_owned(), append_only(frame, &own.schema).await?));
    faults.extend(own.source.fault());
    let heads = verify(frame, gate, &mut faults).await?;
    faults.extend(compare(frame, gate).await?);
    for (name, head) in heads {
        facts.push((format!("chain_head {name}"), format!("{} {}", head.seq, head.link)));
    }
    Ok(StoreReport { place: own.place.clone(), facts, faults })
}

/// The settings on which durability hangs.
async fn server(frame: &Transaction<'_>, facts: &mut Told) -> Result<Vec<String>, Failure> {
    let mut faults = Vec::new();
    let mut standbys = String::new();
    for name in ["server_version", "fsync", "full_page_writes", "synchronous_commit", "synchronous_standby_names"] {
        let value: String = frame.query_one("SELECT current_setting($1)", &[&name]).await?.try_get(0)?;
        if matches!(name, "fsync" | "full_page_writes") && value == "off" {
            faults.push(format!(
                "the server runs with `{name} = off`: a crash of its host can lose or damage everything"
            ));
        }
        if name == "synchronous_standby_names" {
            standbys.clone_from(&value);
        }
        facts.push((name.to_owned(), value));
    }
    let failover = if standbys.is_empty() {
        "no standby is waited for: a failover to one can lose the last commits, and what they allowed once may then be \
         done twice; name one in `synchronous_standby_names`"
    } else {
        "a commit waits for a standby, which has what was answered"
    };
    facts.push(("failover".to_owned(), failover.to_owned()));
    Ok(faults)
}

/// Whether this role can rewrite what was recorded.
async fn append_only(frame: &Transaction<'_>, schema: &str) -> Result<String, Failure> {
    let sql = "SELECT current_user::TEXT, has_table_privilege($1, 'UPDATE') OR has_table_privilege($1, 'DELETE') \
               OR has_table_privilege($1, 'TRUNCATE')";
    let row = frame.query_one(sql, &[&format!("\"{schema}\".events")]).await?;
    let (role, may): (String, bool) = (row.try_get(0)?, row.try_get(1)?);
    let told =
        if may { "can change or remove events; give gates a role of less rights" } else { "can only add events" };
    Ok(format!("the role `{role}` {told}"))
}

/// Walks each chain from its start to its marked head. What is verified is the stored text of each body.
async fn verify(
    frame: &Transaction<'_>,
    gate: &GateKey,
    faults: &mut Vec<String>,
) -> Result<Vec<(String, Head)>, Failure> {
    let mut heads = Vec::new();
    for row in frame.query("SELECT seq, link, seal, name FROM chains ORDER BY name", &[]).await? {
        let name: String = row.try_get(3)?;
        let (end, broken) = walk(frame, gate, &name).await?;
        faults.extend(broken.into_iter().map(|fault| format!("chain `{name}`: {fault}")));
        match chain::head(&row, &name, gate) {
            Ok(head) if head == end => {}
            Ok(head) => {
                faults.push(format!("chain `{name}` ends at {}, and its head is {}: it was cut", end.seq, head.seq));
            }
            Err(_) => faults.push(chain::changed_head(&name)),
        }
        heads.push((name, end));
    }
    let strays = "SELECT DISTINCT chain FROM events WHERE chain NOT IN (SELECT name FROM chains)";
    for row in frame.query(strays, &[]).await? {
        faults.push(format!("the chain `{}` has events and no head: it was deleted", row.try_get::<_, String>(0)?));
    }
    Ok(heads)
}

async fn walk(frame: &Transaction<'_>, gate: &GateKey, chain: &str) -> Result<(Head, Vec<String>), Failure> {
    let page = frame
        .prepare(&format!("SELECT {EVENT}, id FROM events WHERE chain = $1 AND seq > $2 ORDER BY seq LIMIT {PAGE}"))
        .await?;
    let (mut walk, mut last, mut last_id, mut disorder) = (Walk::default(), 0_i64, 0_i64, 0_u64);
    loop {
        let rows = frame.query(&page, &[&chain, &last]).await?;
        let Some(end) = rows.last() else { break };
        last = end.try_get(0)?;
        for row in &rows {
            let call_id = convert::text(row, 1)?;
            let event =
                Linked { call_id: &call_id, kind: row.try_get(2)?, at_ms: row.try_get(3)?, body: row.try_get(4)? };
            walk.see(gate, convert::count(row, 0)?, row.try_get(5)?, &event);
            let id: i64 = row.try_get(6)?;
            disorder += u64::from(id <= last_id);
            last_id = id;
        }
        tokio::task::yield_now().await;
    }
    let (head, mut faults) = walk.finish();
    if disorder > 0 {
        faults.push(format!("the order of {disorder} events among the chains was changed"));
    }
    Ok((head, faults))
}

/// Every row of a query in pages, by its column `after`, a number that stands last.
async fn each(
    frame: &Transaction<'_>,
    (columns, table, after): (&str, &str, &str),
    mut see: impl FnMut(&Row),
) -> Result<(), Failure> {
    let sql = format!("SELECT {columns}, {after} FROM {table} WHERE {after} > $1 ORDER BY {after} LIMIT {PAGE}");
    let page = frame.prepare(&sql).await?;
    let mut last = -1_i64;
    loop {
        let rows = frame.query(&page, &[&last]).await?;
        let Some(end) = rows.last() else { return Ok(()) };
        last = end.try_get(end.len() - 1)?;
        rows.iter().for_each(&mut see);
        tokio::task::yield_now().await;
    }
}

fn why(error: &StoreError) -> String {
    error.to_string()
}

async fn compare(frame: &Transaction<'_>, gate: &GateKey) -> Result<Vec<String>, Failure> {
    let mut seen = Comparison::new(gate);
    each(frame, (EVENT, "events", "id"), |row| {
        // What can't be read is a break in the chain.
        if let Ok(event) = convert::event_from(row, 0) {
            seen.event(event);
        }
    })
    .await?;
    keys(frame, &mut seen).await?;
    each(frame, ("record, call_id, state, code", "calls", "id"), |row| {
        let read = || Ok((convert::call(row)?, convert::text(row, 1)?, convert::text(row, 2)?, convert::text(row, 3)?));
        match read() {
            Ok((record, call_id, state, code)) => seen.call(&record, (&call_id, &state, &code)),
            Err(error) => seen.unreadable("calls", &why(&error)),
        }
    })
    .await?;
    each(frame, (TICKET, "tickets", "position"), |row| match convert::ticket(row) {
        Ok((ticket, seal)) => seen.ticket(&ticket, &seal),
        Err(error) => seen.unreadable("tickets", &why(&error)),
    })
    .await?;
    let mut stops = 0_i64;
    each(frame, (STOP, "stops", "id"), |row| {
        stops += 1;
        match convert::stop(row) {
            Ok(stop) => seen.stop(&stop),
            Err(error) => seen.unreadable("stops", &why(&error)),
        }
    })
    .await?;
    let mut faults = seen.finish();
    let made: i64 = frame.query_one("SELECT value FROM counters WHERE name = 'stops'", &[]).await?.try_get(0)?;
    if made > stops {
        faults.push(format!("{} stops were deleted", made - stops));
    }
    Ok(faults)
}

/// Keys have no number to go by.
async fn keys(frame: &Transaction<'_>, seen: &mut Comparison<'_>) -> Result<(), Failure> {
    let page = frame.prepare(&format!("SELECT {KEY} FROM keys WHERE key > $1 ORDER BY key LIMIT {PAGE}")).await?;
    let mut last = String::new();
    loop {
        let rows = frame.query(&page, &[&last]).await?;
        let Some(end) = rows.last() else { return Ok(()) };
        last = end.try_get(0)?;
        for row in &rows {
            match convert::key(row) {
                Ok((key, seal)) => seen.key(&key, &seal),
                Err(error) => seen.unreadable("keys", &why(&error)),
            }
        }
        tokio::task::yield_now().await;
    }
}
