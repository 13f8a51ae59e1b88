//! What was changed in the database without the gate's key is found, and refuses what rests on it. And texts that
//! PostgreSQL doesn't take as they are come back as they were.

#![expect(clippy::unwrap_used, reason = "tests may panic")]

mod common;

use std::sync::Arc;

use common::{fresh_schema, open, server};
use toolgate_core::ledger::Ending;
use toolgate_core::store::{
    Begin, CallFilter, Record, StopReach, Store, StoreFault, TicketFilter, TicketRecord, Write, write_one,
};
use toolgate_postgres::PostgresStore;
use toolgate_testing::PgServer;
use toolgate_testing::records::{self, NOON, claim, finish, settle, ticket};

async fn faults(store: &dyn Store) -> Vec<String> {
    store.report().await.unwrap().faults
}

async fn put(store: &dyn Store, record: Record) {
    write_one(store, Write::Record(Box::new(record))).await.unwrap();
}

/// With a settled key, a ticket that waits and a stop, in two chains.
async fn filled(server: &PgServer, schema: &str) -> [Arc<PostgresStore>; 2] {
    let stores = [open(server, schema), open(server, schema)];
    let [one, two] = &stores;
    let begin = Begin { claims: vec![claim("k", "f")], ..records::begin("c1") };
    write_one(&**one, Write::Begin(Box::new(begin))).await.unwrap();
    put(&**two, Record { settle: vec![settle("k", 1, Ending::Succeeded)], ..finish("c1") }).await;
    put(&**one, Record { ticket: Some(ticket("t", "c2")), ..finish("c2") }).await;
    put(&**two, Record { stop: Some((StopReach::Session, NOON)), ..finish("c3") }).await;
    assert_eq!(faults(&**one).await, Vec::<String>::new());
    stores
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_change_behind_the_gates_back_is_found() {
    let Some(server) = server() else { return };
    for change in [
        "UPDATE events SET body = replace(body, '2.5', '3.5') WHERE chain = 'gate-2' AND seq = 1",
        "UPDATE events SET at_ms = at_ms + 1 WHERE chain = 'gate-1' AND seq = 1",
        "DELETE FROM events WHERE chain = 'gate-1' AND seq = 1",
        "DELETE FROM events WHERE chain = 'gate-1' AND seq = 2",
        "DELETE FROM events WHERE chain = 'gate-2'; DELETE FROM chains WHERE name = 'gate-2'",
        "DELETE FROM chains WHERE name = 'gate-2'",
        "DELETE FROM events WHERE chain = 'gate-2' AND seq = 2; UPDATE chains SET seq = 1, \
         link = (SELECT link FROM events WHERE chain = 'gate-2') WHERE name = 'gate-2'",
        "UPDATE events SET chain = 'gate-3' WHERE chain = 'gate-2'",
        "UPDATE keys SET state = 'failed_no_effect'",
        "UPDATE tickets SET state = 'approved'",
        "UPDATE tickets SET expires_ms = expires_ms + 1",
        "UPDATE tickets SET rest = replace(rest, 'send it', 'read it')",
        "UPDATE stops SET resumed_by = 'eve', resumed_ms = 1",
        "DELETE FROM stops",
        "UPDATE calls SET state = 'DENIED' WHERE call_id = 'c1'",
        "DELETE FROM calls WHERE call_id = 'c1'",
    ] {
        let schema = fresh_schema();
        let [store, _] = filled(server, &schema).await;
        server.psql("postgres", &format!("SET search_path = {schema}; {change}")).unwrap();
        assert_ne!(faults(&*store).await, Vec::<String>::new(), "{change}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i09d_each_gate_has_a_whole_chain_and_a_call_has_one_story() {
    let Some(server) = server() else { return };
    let schema = fresh_schema();
    let [store, _] = filled(server, &schema).await;
    let story = store.call("c1").await.unwrap().unwrap();
    let kinds: Vec<&str> = story.events.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(kinds, ["started", "finished"], "in the order in which they came, from two chains");
    let ends = server.psql("postgres", &format!("SELECT name, seq FROM {schema}.chains ORDER BY name")).unwrap();
    assert_eq!(ends, "gate-1|2\ngate-2|2");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn head_that_was_set_back_takes_no_more_writes() {
    let Some(server) = server() else { return };
    let schema = fresh_schema();
    let [store, _] = filled(server, &schema).await;
    server.psql("postgres", &format!("UPDATE {schema}.chains SET seq = 0, link = ''")).unwrap();
    let error = write_one(&*store, Write::Begin(Box::new(records::begin("c9")))).await.unwrap_err();
    assert_eq!(error.fault(), StoreFault::Corrupt, "{error}");
    assert!(store.call("c9").await.unwrap().is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changed_key_and_ticket_refuse_who_needs_them() {
    let Some(server) = server() else { return };
    let schema = fresh_schema();
    let [store, _] = filled(server, &schema).await;
    let sql = format!("UPDATE {schema}.keys SET attempts = 0; UPDATE {schema}.tickets SET state = 'approved'");
    server.psql("postgres", &sql).unwrap();
    assert_eq!(store.recall(&["k".to_owned()], "s").await.unwrap_err().fault(), StoreFault::Corrupt);
    assert_eq!(store.ticket("t").await.unwrap_err().fault(), StoreFault::Corrupt);
    // Reads, which the stop of the session leaves alone.
    let reads = |call_id: &str| {
        let mut begin = records::begin(call_id);
        Arc::make_mut(&mut begin.call).risk = Some("read".to_owned());
        begin
    };
    let again = Begin { claims: vec![claim("k", "f")], ..reads("c9") };
    let spent = Begin { spend: Some(records::spend("t")), ..reads("c8") };
    let mut batch = vec![Write::Begin(Box::new(again)), Write::Begin(Box::new(spent))];
    batch.push(Write::Record(Box::new(finish("c7"))));
    let answers: Vec<_> =
        store.write(batch).await.into_iter().map(|answer| answer.err().map(|error| error.fault())).collect();
    assert_eq!(answers, [Some(StoreFault::Corrupt), Some(StoreFault::Corrupt), None], "others go on");
}

/// NUL, and names that are longer than a B-tree takes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_name_can_be_stored_and_found() {
    let Some(server) = server() else { return };
    let store = open(server, &fresh_schema());
    let long: String = (0..5_000_u32).filter_map(|n| char::from_u32(0x4e00 + n)).collect();
    for (number, name) in ["a\0b", "\u{1a}0", long.as_str(), "plain"].into_iter().enumerate() {
        let mut record = finish(&format!("c{number}"));
        let call = Arc::make_mut(&mut record.call);
        (call.session, call.task, call.tool) = (name.to_owned(), name.to_owned(), name.to_owned());
        let written = (*call).clone();
        let task =
            TicketRecord { session: name.to_owned(), task: name.to_owned(), ..ticket(&format!("t{number}"), "c") };
        put(&*store, Record { ticket: Some(task.clone()), stop: Some((StopReach::Session, NOON)), ..record }).await;
        let wanted = || Some(name.to_owned());
        let filter = CallFilter { session: wanted(), task: wanted(), tool: wanted(), ..CallFilter::default() };
        assert_eq!(store.calls(&filter).await.unwrap(), [written]);
        let filter = TicketFilter { session: wanted(), ..TicketFilter::default() };
        assert_eq!(store.tickets(&filter).await.unwrap(), [task]);
        assert_eq!(store.recall(&[], name).await.unwrap().stops.len(), 1);
    }
    assert_eq!(faults(&*store).await, Vec::<String>::new());
}
