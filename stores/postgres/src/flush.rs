//! Writes what a batch changed and commits it, in one round trip: a statement for each kind of row, whatever their
//! number. New rows are plain inserts, so that a row which another wrote meanwhile takes all of it back.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Error, Statement};
use toolgate_core::store::chain::{Head, Linked};
use toolgate_core::store::{
    CallRecord, Facts, KeyRecord, Millis, OutcomeRecord, Stop, StoreError, StoreFault, StoredResult, TicketRecord, mark,
};

use crate::changes::{CallChange, Changes, Gone, Loaded};
use crate::convert::{self, number, stored};
use crate::session::{Failure, Session};
use crate::{chain, fault};

type Values<'v> = Vec<Box<dyn ToSql + Sync + Send + 'v>>;

/// A column as an array.
fn column<'v, R, T>(rows: &[&'v R], value: impl Fn(&'v R) -> T) -> Box<dyn ToSql + Sync + Send + 'v>
where
    T: ToSql + Sync + Send + 'v,
{
    let values: Vec<T> = rows.iter().map(|row| value(row)).collect();
    Box::new(values)
}

/// One statement with its columns, unless it has no rows.
struct Part<'v> {
    statement: &'v Statement,
    values: Values<'v>,
    is_empty: bool,
}

impl<'v> Part<'v> {
    fn of(statement: &'v Statement, rows: usize, values: Values<'v>) -> Self {
        Self { statement, values, is_empty: rows == 0 }
    }
}

/// Runs a part. One that can't even be sent is noted as `unsent`, before the next one is begun: the server knows
/// nothing of it, and would commit without it.
async fn run(part: &Part<'_>, client: &Client, unsent: &AtomicBool) -> Result<(), Error> {
    if part.is_empty {
        return Ok(());
    }
    let values: Vec<&(dyn ToSql + Sync)> = part.values.iter().map(|value| &**value as &(dyn ToSql + Sync)).collect();
    let done = client.execute(part.statement, &values).await;
    if done.as_ref().is_err_and(|error| error.as_db_error().is_none()) {
        unsent.store(true, Ordering::Relaxed);
    }
    done.map(drop)
}

/// A call and its text.
struct CallRow<'c> {
    change: &'c CallChange,
    text: String,
}

struct EventRow<'c> {
    seq: i64,
    call_id: &'c str,
    kind: &'static str,
    at_ms: i64,
    body: Cow<'c, str>,
    link: String,
}

fn call_rows(changes: &Changes) -> Result<Vec<CallRow<'_>>, StoreError> {
    let mut rows = Vec::with_capacity(changes.calls.len());
    for change in changes.calls.values() {
        let text = serde_json::to_string(&*change.call)
            .map_err(|error| fault::error(StoreFault::Conflict, format!("a record that is no JSON: {error}")))?;
        rows.push(CallRow { change, text });
    }
    rows.sort_by_key(|row| row.change.position);
    Ok(rows)
}

/// The events with their places in the chain, and its new head.
fn event_rows<'c>(
    session: &Session,
    head: &Head,
    changes: &'c Changes,
    calls: &'c [CallRow<'c>],
) -> (Vec<EventRow<'c>>, Head) {
    let mut head = head.clone();
    let mut rows = Vec::with_capacity(changes.events.len());
    for event in &changes.events {
        let written = |call: &Arc<CallRecord>| calls.iter().find(|row| Arc::ptr_eq(&row.change.call, call));
        let body = match &event.facts {
            Facts::Call(call) => match written(call) {
                Some(row) if calls.len() < 16 => Cow::Borrowed(row.text.as_str()),
                _ => event.facts.text(),
            },
            facts => facts.text(),
        };
        let (call_id, kind, at_ms) = (event.call_id.as_str(), event.kind, event.at_ms);
        head = head.next(&session.gate, &Linked { call_id, kind, at_ms, body: &body });
        rows.push(EventRow { seq: number(head.seq), call_id, kind, at_ms, body, link: head.link.clone() });
    }
    (rows, head)
}

fn calls_part<'v>(statement: &'v Statement, rows: &[&'v CallRow<'v>]) -> Part<'v> {
    let text = |of: fn(&CallRecord) -> &str| column(rows, move |row| stored(of(&row.change.call)));
    let values: Values<'v> = vec![
        text(|call| &call.call_id),
        text(|call| &call.session),
        text(|call| &call.task),
        text(|call| &call.tool),
        text(|call| &call.code),
        text(|call| &call.state),
        column(rows, |row| row.change.call.received_ms),
        column(rows, |row| row.change.owner.as_deref().map(stored)),
        column(rows, |row| row.text.as_str()),
        text(|call| &call.tenant),
        column(rows, |row| row.change.call.turn.map(number)),
        column(rows, |row| row.change.call.tainted || row.change.call.untrusted),
    ];
    Part::of(statement, rows.len(), values)
}

fn events_part<'v>(session: &'v Session, rows: &[&'v EventRow<'v>]) -> Part<'v> {
    let values: Values<'v> = vec![
        Box::new(session.chain.as_str()),
        column(rows, |row| row.seq),
        column(rows, |row| stored(row.call_id)),
        column(rows, |row| row.kind),
        column(rows, |row| row.at_ms),
        column(rows, |row| &*row.body),
        column(rows, |row| row.link.as_str()),
    ];
    Part::of(&session.statements.add_events, rows.len(), values)
}

fn keys_part<'v>(session: &'v Session, statement: &'v Statement, rows: &[&'v KeyRecord]) -> Part<'v> {
    let text = |of: fn(&KeyRecord) -> &str| column(rows, move |row| stored(of(row)));
    let values: Values<'v> = vec![
        text(|row| &row.key),
        text(|row| &row.fingerprint),
        text(|row| &row.tool),
        text(|row| &row.call_id),
        text(|row| row.state.as_str()),
        column(rows, |row| row.idempotent),
        column(rows, |row| i64::from(row.attempts)),
        column(rows, |row| number(row.fence)),
        text(|row| &row.owner),
        column(rows, |row| row.claimed_ms),
        column(rows, |row| row.settled_ms),
        column(rows, |row| mark::key(&session.gate, row)),
    ];
    Part::of(statement, rows.len(), values)
}

fn new_tickets_part<'v>(session: &'v Session, rows: &[&'v TicketRecord]) -> Part<'v> {
    let text = |of: fn(&TicketRecord) -> &str| column(rows, move |row| stored(of(row)));
    let values: Values<'v> = vec![
        text(|row| &row.id),
        text(|row| &row.call_id),
        text(|row| &row.tool),
        text(|row| &row.digest),
        text(|row| &row.session),
        text(|row| &row.task),
        text(|row| row.state.as_str()),
        column(rows, |row| row.created_ms),
        column(rows, |row| row.expires_ms),
        column(rows, |row| row.sealed.as_slice()),
        column(rows, convert::rest_of_ticket),
        column(rows, |row| mark::ticket(&session.gate, row)),
    ];
    Part::of(&session.statements.add_tickets, rows.len(), values)
}

/// Who a ticket is bound to never changes.
fn tickets_part<'v>(session: &'v Session, rows: &[&'v TicketRecord]) -> Part<'v> {
    let values: Values<'v> = vec![
        column(rows, |row| stored(&row.id)),
        column(rows, |row| row.state.as_str()),
        column(rows, convert::rest_of_ticket),
        column(rows, |row| mark::ticket(&session.gate, row)),
    ];
    Part::of(&session.statements.put_tickets, rows.len(), values)
}

fn outcomes_part<'v>(session: &'v Session, rows: &[&'v OutcomeRecord]) -> Part<'v> {
    let text = |of: fn(&OutcomeRecord) -> &str| column(rows, move |row| stored(of(row)));
    let values: Values<'v> = vec![
        text(|row| &row.session),
        text(|row| &row.task),
        text(|row| &row.tool),
        text(|row| &row.call_id),
        column(rows, |row| row.at_ms),
        column(rows, |row| row.ok),
        column(rows, |row| row.facts.as_slice()),
    ];
    Part::of(&session.statements.add_outcomes, rows.len(), values)
}

fn results_part<'v>(session: &'v Session, rows: &[&'v StoredResult]) -> Part<'v> {
    let values: Values<'v> = vec![
        column(rows, |row| stored(&row.call_id)),
        column(rows, |row| stored(&row.session)),
        column(rows, |row| row.sealed.as_slice()),
    ];
    Part::of(&session.statements.put_results, rows.len(), values)
}

fn new_stops_part<'v>(session: &'v Session, rows: &[&'v Stop]) -> Part<'v> {
    let text = |of: fn(&Stop) -> &str| column(rows, move |row| stored(of(row)));
    let values: Values<'v> = vec![
        column(rows, |row| number(row.id)),
        text(|row| &row.session),
        text(|row| &row.task),
        text(|row| &row.tool),
        text(|row| convert::reach_word(row.reach)),
        text(|row| &row.call_id),
        column(rows, |row| row.at_ms),
        column(rows, |row| row.resumed.as_ref().map(|(by, _)| stored(by))),
        column(rows, |row| row.resumed.as_ref().map(|(_, at)| *at)),
    ];
    Part::of(&session.statements.add_stops, rows.len(), values)
}

fn stops_part<'v>(session: &'v Session, rows: &[&'v Stop]) -> Part<'v> {
    let values: Values<'v> = vec![
        column(rows, |row| number(row.id)),
        column(rows, |row| row.resumed.as_ref().map(|(by, _)| stored(by))),
        column(rows, |row| row.resumed.as_ref().map(|(_, at)| *at)),
    ];
    Part::of(&session.statements.put_stops, rows.len(), values)
}

fn leases_part<'v>(session: &'v Session, rows: &[&'v (&'v String, &'v Millis)]) -> Part<'v> {
    let values: Values<'v> = vec![column(rows, |row| stored(row.0)), column(rows, |row| *row.1)];
    Part::of(&session.statements.put_leases, rows.len(), values)
}

fn names(rows: &[String]) -> Box<dyn ToSql + Sync + Send + '_> {
    let names: Vec<Cow<'_, str>> = rows.iter().map(|name| stored(name)).collect();
    Box::new(names)
}

/// The rows that weren't there, and those that were.
fn apart<'v, T>(rows: impl Iterator<Item = &'v T>, was_there: impl Fn(&T) -> bool) -> (Vec<&'v T>, Vec<&'v T>) {
    let (old, new) = rows.partition(|row| was_there(row));
    (new, old)
}

impl Session {
    /// Writes and commits. An error that isn't the server's own word leaves in doubt whether it was committed.
    pub(crate) async fn flush(
        &self,
        loaded: &Loaded,
        head: &Head,
        changes: &Changes,
        batch: &str,
    ) -> Result<(), Failure> {
        let known = &self.statements;
        let calls = call_rows(changes)?;
        let (events, next) = event_rows(self, head, changes, &calls);
        let (new_calls, old_calls) = apart(calls.iter(), |row| loaded.calls.contains_key(&row.change.call.call_id));
        let (new_keys, old_keys) = apart(changes.keys.values(), |key| loaded.keys.contains_key(&key.key));
        let was_there = |ticket: &TicketRecord| loaded.tickets.iter().any(|(row, _)| row.id == ticket.id);
        let (new_tickets, old_tickets) = apart(changes.tickets.iter(), was_there);
        let outcomes: Vec<&OutcomeRecord> = changes.outcomes.iter().collect();
        let results: Vec<&StoredResult> = changes.results.values().collect();
        let new_stops: Vec<&Stop> = changes.new_stops.iter().collect();
        let stops: Vec<&Stop> = changes.stops.values().collect();
        let (leases, gone): (Vec<(&String, &Millis)>, &Gone) = (changes.leases.iter().collect(), &changes.gone);
        let leases: Vec<&(&String, &Millis)> = leases.iter().collect();
        let made = number(loaded.stops_made.saturating_add(new_stops.len() as u64));
        let seal = chain::seal(&self.gate, &self.chain, &next);
        let head_values: Values<'_> = vec![
            Box::new(self.chain.as_str()),
            Box::new(number(next.seq)),
            Box::new(next.link.as_str()),
            Box::new(seal),
        ];
        let event_rows: Vec<&EventRow<'_>> = events.iter().collect();
        let parts = [
            calls_part(&known.add_calls, &new_calls),
            keys_part(self, &known.add_keys, &new_keys),
            new_tickets_part(self, &new_tickets),
            calls_part(&known.put_calls, &old_calls),
            keys_part(self, &known.put_keys, &old_keys),
            tickets_part(self, &old_tickets),
            events_part(self, &event_rows),
            Part::of(&known.put_chain, events.len(), head_values),
            outcomes_part(self, &outcomes),
            results_part(self, &results),
            new_stops_part(self, &new_stops),
            stops_part(self, &stops),
            Part::of(&known.put_stops_made, new_stops.len(), vec![Box::new(made)]),
            leases_part(self, &leases),
            Part::of(
                &known.drop_leases,
                usize::from(gone.leases.is_some()),
                vec![Box::new(gone.leases.unwrap_or_default())],
            ),
            Part::of(&known.drop_results, gone.results.len(), vec![names(&gone.results)]),
            Part::of(&known.drop_tickets, gone.tickets.len(), vec![names(&gone.tickets)]),
            Part::of(&known.drop_outcomes, gone.outcomes.len(), vec![Box::new(gone.outcomes.as_slice())]),
            Part::of(&known.note_batch, 1, vec![Box::new(batch), Box::new(self.last_batch.as_str())]),
        ];
        Box::pin(self.commit(&parts)).await
    }

    /// All parts and the COMMIT are sent before any answer is awaited. After an error of a part the server makes
    /// the COMMIT a ROLLBACK.
    #[expect(clippy::many_single_char_names, reason = "one place for each part, in their order")]
    async fn commit(&self, parts: &[Part<'_>; 19]) -> Result<(), Failure> {
        let unsent = AtomicBool::new(false);
        let run = |part| run(part, &self.client, &unsent);
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s] = parts;
        let answers = tokio::join!(
            biased;
            run(a), run(b), run(c), run(d), run(e), run(f), run(g), run(h), run(i), run(j), run(k), run(l), run(m), run(n), run(o), run(p), run(q), run(r), run(s),
            async {
                let end = if unsent.load(Ordering::Relaxed) { "ROLLBACK" } else { "COMMIT" };
                self.client.batch_execute(end).await
            },
        );
        let (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, committed) = answers;
        for answer in [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, committed] {
            answer?;
        }
        Ok(())
    }
}
