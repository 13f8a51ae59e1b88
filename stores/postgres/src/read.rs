//! The queries, each on one connection. Not where the connections come from.

use deadpool_postgres::ClientWrapper;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use toolgate_core::keys::GateKey;
use toolgate_core::ledger::KeyState;
use toolgate_core::owner;
use toolgate_core::store::{
    CallFilter, CallRecord, CallStory, FILE_MARK, KeyFilter, KeyRecord, OldFilter, OldKind, OutcomeRecord, Past,
    Recalled, Stop, StoreError, StoredResult, TicketFilter, TicketRecord, TicketState,
};

use crate::convert::{self, EVENT, KEY, OUTCOME, STOP, TICKET};
use crate::load::indexed;
use crate::session::Failure;
use crate::shift::SERVER_MS;

type Read<T> = Result<T, Failure>;
type Value = Box<dyn ToSql + Sync + Send>;

async fn rows(client: &ClientWrapper, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Read<Vec<Row>> {
    let statement = client.prepare_cached(sql).await?;
    Ok(client.query(&statement, values).await?)
}

async fn all<T>(
    client: &ClientWrapper,
    sql: &str,
    values: &[&(dyn ToSql + Sync)],
    convert: fn(&Row) -> Result<T, StoreError>,
) -> Read<Vec<T>> {
    let rows = rows(client, sql, values).await?;
    Ok(rows.iter().map(convert).collect::<Result<_, _>>()?)
}

/// A name as its column holds it.
fn name(text: &str) -> String {
    convert::stored(text).into_owned()
}

fn limit(most: Option<usize>) -> i64 {
    most.map_or(i64::MAX, |most| i64::try_from(most).unwrap_or(i64::MAX))
}

pub(crate) async fn recall(client: &ClientWrapper, gate: &GateKey, keys: &[String], session: &str) -> Read<Recalled> {
    let asked: Vec<String> = keys.iter().map(|key| name(key)).collect();
    let of_keys = format!("SELECT {KEY} FROM keys WHERE key = ANY($1)");
    let (found, stops) = tokio::join!(
        async { if asked.is_empty() { Ok(Vec::new()) } else { all(client, &of_keys, &[&asked], convert::key).await } },
        open_stops(client, session),
    );
    let mut known: Vec<KeyRecord> = Vec::with_capacity(asked.len());
    for row in found? {
        known.push(convert::marked_key(gate, row)?);
    }
    let lapsed = lapsed(client, &known).await?;
    let of = |key: &String| known.iter().find(|row| row.key == *key).cloned();
    Ok(Recalled { keys: keys.iter().map(of).collect(), stops: stops?, lapsed })
}

/// Whether the lease of one who runs a key is over.
async fn lapsed(client: &ClientWrapper, keys: &[KeyRecord]) -> Read<bool> {
    let running = keys.iter().filter(|key| key.state == KeyState::Running);
    let holders: Vec<String> = running.map(|key| name(owner::holder_of(&key.owner))).collect();
    if holders.is_empty() {
        return Ok(false);
    }
    let sql = format!("SELECT count(*) > 0 FROM leases WHERE holder = ANY($1) AND until_ms <= ({SERVER_MS})");
    Ok(all(client, &sql, &[&holders], |row| convert::get::<bool>(row, 0)).await?.contains(&true))
}

async fn open_stops(client: &ClientWrapper, session: &str) -> Read<Vec<Stop>> {
    let sql = format!(
        "SELECT {STOP} FROM stops WHERE resumed_ms IS NULL AND left(session, 200) = $1 AND session = $2 ORDER BY id"
    );
    all(client, &sql, &[&indexed(session), &name(session)], convert::stop).await
}

pub(crate) async fn all_open_stops(client: &ClientWrapper) -> Read<Vec<Stop>> {
    all(client, &format!("SELECT {STOP} FROM stops WHERE resumed_ms IS NULL ORDER BY id"), &[], convert::stop).await
}

pub(crate) async fn outcomes(client: &ClientWrapper, place: &[String; 3], most: usize) -> Read<Vec<OutcomeRecord>> {
    let [session, task, tool] = place;
    let sql = format!(
        "SELECT {OUTCOME} FROM outcomes WHERE left(session, 200) = $1 AND left(task, 200) = $2 AND left(tool, 200) = $3 \
         AND session = $4 AND task = $5 AND tool = $6 ORDER BY position DESC LIMIT $7"
    );
    let (heads, whole) = (place.each_ref().map(|text| indexed(text)), [name(session), name(task), name(tool)]);
    let most = limit(Some(most));
    let values: [&(dyn ToSql + Sync); 7] = [&heads[0], &heads[1], &heads[2], &whole[0], &whole[1], &whole[2], &most];
    all(client, &sql, &values, convert::outcome).await
}

pub(crate) async fn result(client: &ClientWrapper, call_id: &str) -> Read<Option<StoredResult>> {
    let sql = "SELECT call_id, session, sealed FROM results WHERE call_id = $1";
    Ok(all(client, sql, &[&name(call_id)], convert::result).await?.pop())
}

pub(crate) async fn story(client: &ClientWrapper, call_id: &str) -> Read<Option<CallStory>> {
    let call_id = name(call_id);
    // One query, so that record and events are of one moment.
    let sql = format!(
        "SELECT c.record, {EVENT} FROM calls c LEFT JOIN (SELECT id AS event_id, {EVENT} FROM events) AS e \
         USING (call_id) WHERE c.call_id = $1 ORDER BY e.event_id"
    );
    let rows = rows(client, &sql, &[&call_id]).await?;
    let Some(first) = rows.first() else {
        return Ok(None);
    };
    let record = convert::call(first)?;
    let mut events = Vec::with_capacity(rows.len());
    for row in &rows {
        if convert::get::<Option<i64>>(row, 1)?.is_some() {
            events.push(convert::event_from(row, 1)?);
        }
    }
    Ok(Some(CallStory { record, events }))
}

/// The conditions of a filter and their values.
#[derive(Default)]
struct Conditions {
    sql: String,
    values: Vec<Value>,
}

impl Conditions {
    fn push(&mut self, value: impl ToSql + Sync + Send + 'static) -> usize {
        self.values.push(Box::new(value));
        self.values.len()
    }

    fn and(&mut self, condition: &str) {
        self.sql.push_str(if self.sql.is_empty() { " WHERE " } else { " AND " });
        self.sql.push_str(condition);
    }

    /// By a name that may be longer than what its index holds.
    fn named(&mut self, column: &str, value: Option<&String>) {
        if let Some(value) = value {
            let (head, whole) = (self.push(indexed(value)), self.push(name(value)));
            self.and(&format!("left({column}, 200) = ${head} AND {column} = ${whole}"));
        }
    }

    fn equal(&mut self, column: &str, value: Option<&str>) {
        if let Some(value) = value {
            let place = self.push(name(value));
            self.and(&format!("{column} = ${place}"));
        }
    }

    /// Says to the server when the partial index may be used.
    fn rare(&mut self, column: &str, common: &str, value: Option<&String>) {
        self.equal(column, value.map(String::as_str));
        if value.is_some_and(|value| value != common) {
            self.and(&format!("{column} <> '{common}'"));
        }
    }

    fn time(&mut self, condition: &str, value: Option<i64>) {
        if let Some(value) = value {
            let place = self.push(value);
            self.and(&format!("{condition} ${place}"));
        }
    }

    async fn all<T>(
        mut self,
        client: &ClientWrapper,
        (columns, order): (&str, &str),
        most: Option<usize>,
        convert: fn(&Row) -> Result<T, StoreError>,
    ) -> Read<Vec<T>> {
        let place = self.push(limit(most));
        let sql = format!("SELECT {columns}{} ORDER BY {order} LIMIT ${place}", self.sql);
        let values: Vec<&(dyn ToSql + Sync)> =
            self.values.iter().map(|value| &**value as &(dyn ToSql + Sync)).collect();
        all(client, &sql, &values, convert).await
    }
}

pub(crate) async fn calls(client: &ClientWrapper, filter: &CallFilter) -> Read<Vec<CallRecord>> {
    let CallFilter { session, task, tool, code, state, since_ms, until_ms, limit: most } = filter;
    let mut conditions = Conditions::default();
    conditions.named("session", session.as_ref());
    conditions.named("task", task.as_ref());
    conditions.named("tool", tool.as_ref());
    conditions.rare("code", "OK", code.as_ref());
    conditions.rare("state", "SUCCEEDED", state.as_ref());
    conditions.time("received_ms >=", *since_ms);
    conditions.time("received_ms <", *until_ms);
    conditions.all(client, ("record FROM calls", "id DESC"), *most, convert::call).await
}

/// Each walks the calls of one session in their order, and stops early.
pub(crate) async fn past(client: &ClientWrapper, [tenant, session, task]: &[String; 3]) -> Read<Past> {
    let of = "FROM calls WHERE left(session, 200) = $1 AND session = $2 AND tenant = $3";
    let (head, session, tenant, task) = (indexed(session), name(session), name(tenant), name(task));
    let most = limit(Some(Past::CALLS));
    let (first, turn, tainted) = (
        format!("SELECT record {of} ORDER BY id LIMIT 1"),
        format!(
            "SELECT max(turn) FROM (SELECT turn {of} AND task = $4 AND turn IS NOT NULL ORDER BY id DESC LIMIT $5) AS c"
        ),
        format!(
            "SELECT coalesce(bool_or(tainted), false) FROM (SELECT tainted {of} AND task = $4 ORDER BY id DESC LIMIT $5) AS c"
        ),
    );
    let in_task: [&(dyn ToSql + Sync); 5] = [&head, &session, &tenant, &task, &most];
    let in_session: [&(dyn ToSql + Sync); 3] = [&head, &session, &tenant];
    let (first, turn, tainted) = tokio::join!(
        all(client, &first, &in_session, convert::call),
        all(client, &turn, &in_task, |row| convert::get::<Option<i64>>(row, 0)),
        all(client, &tainted, &in_task, |row| convert::get::<bool>(row, 0)),
    );
    let turn = turn?.pop().flatten().and_then(|turn| u64::try_from(turn).ok());
    Ok(Past { turn, tainted: tainted?.contains(&true), ..Past::of(&first?, &task) })
}

pub(crate) async fn ticket(client: &ClientWrapper, gate: &GateKey, id: &str) -> Read<Option<TicketRecord>> {
    let sql = format!("SELECT {TICKET} FROM tickets WHERE id = $1");
    let found = all(client, &sql, &[&name(id)], convert::ticket).await?.pop();
    Ok(found.map(|row| convert::marked_ticket(gate, row)).transpose()?)
}

pub(crate) async fn tickets(client: &ClientWrapper, gate: &GateKey, filter: &TicketFilter) -> Read<Vec<TicketRecord>> {
    let TicketFilter { session, task, tool, digest, state, limit: most } = filter;
    let mut conditions = Conditions::default();
    conditions.named("session", session.as_ref());
    conditions.equal("task", task.as_deref());
    conditions.equal("tool", tool.as_deref());
    conditions.equal("digest", digest.as_deref());
    conditions.rare("state", "spent", state.map(TicketState::as_str).map(str::to_owned).as_ref());
    let found =
        conditions.all(client, (&format!("{TICKET} FROM tickets"), "position DESC"), *most, convert::ticket).await?;
    Ok(found.into_iter().map(|row| convert::marked_ticket(gate, row)).collect::<Result<_, _>>()?)
}

pub(crate) async fn keys(client: &ClientWrapper, gate: &GateKey, filter: &KeyFilter) -> Read<Vec<KeyRecord>> {
    let KeyFilter { key, call_id, states, tool, session, before_ms, limit: most } = filter;
    let mut conditions = Conditions::default();
    conditions.equal("key", key.as_deref());
    conditions.equal("call_id", call_id.as_deref());
    conditions.equal("tool", tool.as_deref());
    if let Some(session) = session {
        let (head, whole) = (conditions.push(indexed(session)), conditions.push(name(session)));
        conditions.and(&format!(
            "call_id IN (SELECT call_id FROM calls WHERE left(session, 200) = ${head} AND session = ${whole})"
        ));
    }
    conditions.time("claimed_ms <", *before_ms);
    if !states.is_empty() {
        let words: Vec<String> = states.iter().map(|state| format!("'{}'", state.as_str())).collect();
        conditions.and(&format!("state IN ({})", words.join(", ")));
    }
    let found =
        conditions.all(client, (&format!("{KEY} FROM keys"), "claimed_ms DESC, key"), *most, convert::key).await?;
    Ok(found.into_iter().map(|row| convert::marked_key(gate, row)).collect::<Result<_, _>>()?)
}

/// Walks the index of the names, from the one that was last.
pub(crate) async fn old(client: &ClientWrapper, filter: &OldFilter) -> Read<Vec<String>> {
    let OldFilter { kind, before_ms, after, limit: most } = filter;
    let after = after.clone().unwrap_or_default();
    let (position, after, most) = (after.parse::<i64>().unwrap_or(0), name(&after), limit(Some(*most)));
    let sql = match kind {
        OldKind::Keys => {
            "SELECT key FROM keys WHERE key > $1 AND settled_ms < $2 AND state <> 'pruned' ORDER BY key LIMIT $3"
        }
        OldKind::Results => {
            "SELECT r.call_id FROM results r LEFT JOIN calls c USING (call_id) WHERE r.call_id > $1 \
             AND coalesce(c.received_ms, 0) < $2 ORDER BY r.call_id LIMIT $3"
        }
        OldKind::Tickets => "SELECT id FROM tickets WHERE id > $1 AND created_ms < $2 ORDER BY id LIMIT $3",
        OldKind::Outcomes => {
            let sql = format!(
                "SELECT position::TEXT FROM outcomes WHERE position > $1 AND at_ms < $2 AND tool <> '{FILE_MARK}' \
                 ORDER BY position LIMIT $3"
            );
            return all(client, &sql, &[&position, before_ms, &most], |row| convert::text(row, 0)).await;
        }
    };
    all(client, sql, &[&after, before_ms, &most], |row| convert::text(row, 0)).await
}
