//! Random sequences of writes give the same answers, and leave the same rows, in memory and in SQLite.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]

mod common;

use std::sync::Arc;

use common::Dir;
use proptest::prelude::*;
use toolgate_core::ledger::{CallState, Ending};
use toolgate_core::spec::Repeat;
use toolgate_core::store::{
    Begin, CallFilter, Claim, Decide, MemoryStore, Record, Resume, Settle, Spend, StopReach, Store, Sweep,
    TicketFilter, TicketState, Write,
};
use toolgate_sqlite::SqliteStore;
use toolgate_testing::records::{self, NOON, call, event, outcome, result, spend, ticket};

const NAMES: usize = 4;

fn name(prefix: &'static str) -> impl Strategy<Value = String> {
    (0..NAMES).prop_map(move |number| format!("{prefix}{number}"))
}

fn ending() -> impl Strategy<Value = Ending> {
    (0..Ending::ALL.len()).prop_map(|index| Ending::ALL[index])
}

fn state() -> impl Strategy<Value = CallState> {
    (0..CallState::ALL.len()).prop_map(|index| CallState::ALL[index])
}

fn risk() -> impl Strategy<Value = Option<String>> {
    prop_oneof![Just(None), Just(Some("read".to_owned())), Just(Some("write".to_owned()))]
}

fn claims() -> impl Strategy<Value = Vec<Claim>> {
    let repeat = prop_oneof![Just(Repeat::Once), Just(Repeat::Idempotent)];
    let fingerprint = prop_oneof![9 => Just("f"), 1 => Just("other")];
    let stale = prop::option::weighted(0.5, name("c"));
    let claim = (name("k"), fingerprint, repeat, stale).prop_map(|(key, fingerprint, repeat, stale)| Claim {
        key,
        fingerprint: fingerprint.to_owned(),
        repeat,
        stale,
    });
    prop::collection::vec(claim, 0..3)
}

fn spends() -> impl Strategy<Value = Option<Spend>> {
    let digest = prop_oneof![9 => Just("d"), 1 => Just("other")];
    let some = (name("t"), digest).prop_map(|(id, digest)| Spend { digest: digest.to_owned(), ..spend(&id) });
    prop::option::weighted(0.3, some)
}

/// Close to the end of [`ticket`], so that both sides of it are seen.
fn time() -> impl Strategy<Value = i64> {
    prop_oneof![4 => NOON..NOON + 100, 1 => NOON + 3_599_990..NOON + 3_600_010]
}

fn begins() -> impl Strategy<Value = Write> {
    let owner = prop_oneof![Just("living"), Just("dead")];
    (name("c"), claims(), spends(), time(), owner, risk(), state()).prop_map(
        |(call_id, claims, spend, now_ms, owner, risk, odd)| {
            let mut begin = Begin { claims, spend, now_ms, owner: owner.to_owned(), ..records::begin(&call_id) };
            Arc::make_mut(&mut begin.call).risk = risk;
            if odd == CallState::Received {
                odd.as_str().clone_into(&mut Arc::make_mut(&mut begin.call).state);
            }
            Write::Begin(Box::new(begin))
        },
    )
}

fn settles() -> impl Strategy<Value = Vec<Settle>> {
    let settle = (name("k"), 1..4_u64, ending(), prop::bool::weighted(0.2));
    let settle = settle.prop_map(|(key, fence, ending, late)| Settle { key, fence, ending, late });
    prop::collection::vec(settle, 0..2)
}

fn record_extras() -> impl Strategy<Value = Record> {
    let stop = prop_oneof![Just(StopReach::Tool), Just(StopReach::Session)];
    let end = (name("t"), prop_oneof![Just(TicketState::Denied), Just(TicketState::Expired), Just(TicketState::Spent)]);
    let task = prop_oneof![Just("t"), Just("t2")];
    let ticket_id = prop::option::weighted(0.4, name("t"));
    let rest = (prop::option::weighted(0.1, end), prop::option::weighted(0.1, stop), task, any::<(bool, bool, bool)>());
    (name("c"), state(), settles(), ticket_id, rest).prop_map(
        |(call_id, state, settle, ticket_id, (end_ticket, stop, task, (has_outcome, has_result, durable)))| {
            let mut record = Record::of(call(&call_id, state), vec![event(&call_id, "x")]);
            task.clone_into(&mut Arc::make_mut(&mut record.call).task);
            record.durable = durable;
            record.settle = settle;
            record.outcome = has_outcome.then(|| outcome(&call_id, durable));
            record.result = has_result.then(|| result(&call_id));
            record.ticket = ticket_id.map(|id| ticket(&id, &call_id));
            record.end_ticket = end_ticket;
            record.stop = stop.map(|reach| (reach, NOON));
            record
        },
    )
}

fn decides() -> impl Strategy<Value = Write> {
    (name("t"), any::<bool>(), time()).prop_map(|(ticket, approve, now_ms)| {
        Write::Decide(Decide {
            ticket,
            approve,
            by: "bob".to_owned(),
            channel: "console".to_owned(),
            comment: None,
            now_ms,
        })
    })
}

fn resumes() -> impl Strategy<Value = Write> {
    let task = prop_oneof![Just(None), Just(Some("t".to_owned())), Just(Some("t2".to_owned()))];
    task.prop_map(|task| Write::Resume(Resume { session: "s".to_owned(), task, by: "bob".to_owned(), now_ms: NOON }))
}

fn writes() -> impl Strategy<Value = Write> {
    fn is_alive(owner: &str) -> bool {
        owner != "dead"
    }
    prop_oneof![
        8 => begins(),
        8 => record_extras().prop_map(|record| Write::Record(Box::new(record))),
        3 => decides(),
        1 => resumes(),
        1 => Just(Write::Sweep(Sweep { is_alive, now_ms: NOON + 9 })),
    ]
}

/// Everything that can be read, as text.
async fn all_rows(store: &dyn Store) -> Vec<String> {
    let names = |prefix: &str| (0..NAMES).map(|number| format!("{prefix}{number}")).collect::<Vec<_>>();
    let mut rows = vec![
        format!("{:?}", store.calls(&CallFilter::default()).await.unwrap()),
        format!("{:?}", store.tickets(&TicketFilter::default()).await.unwrap()),
        format!("{:?}", store.recall(&names("k"), "s").await.unwrap()),
        format!("{:?}", store.outcomes("s", "t", "send", 99).await.unwrap()),
        format!("{:?}", store.stops().await.unwrap()),
    ];
    // Random records don't fit their events, and only SQLite looks at that; the chain is whole.
    let faults = store.report().await.unwrap().faults;
    rows.push(format!("{:?}", faults.iter().filter(|fault| fault.starts_with("event")).collect::<Vec<_>>()));
    for call_id in names("c") {
        rows.push(format!("{:?}", store.result(&call_id).await.unwrap()));
        rows.push(format!("{:?}", store.call(&call_id).await.unwrap()));
    }
    rows
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_stores_answer_alike(batches in prop::collection::vec(prop::collection::vec(writes(), 1..6), 1..14)) {
        let dir = Dir::new();
        let sqlite = SqliteStore::open(dir.file("gate.db")).unwrap();
        let memory = MemoryStore::with_key(sqlite.key().clone());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            for batch in batches {
                let expected = memory.write(batch.clone()).await;
                let answers = sqlite.write(batch).await;
                prop_assert_eq!(format!("{expected:?}"), format!("{answers:?}"));
            }
            prop_assert_eq!(all_rows(&memory).await, all_rows(&sqlite).await);
            Ok(())
        })?;
    }
}
