//! Many at once: one wins, the others are told, nothing is lost.

use std::future::Future;
use std::sync::Arc;

use tokio::task::JoinSet;
use toolgate_core::store::{Begin, Begun, CallFilter, Decide, Decided, Record, Store, TicketState};

use super::tickets::{approve, decide};
use super::{Fresh, begin, must, record, ticket};
use crate::records::{self, NOON, claim, finish, spend};

/// How many race.
pub const RACERS: usize = 50;

/// Every part of this file.
pub async fn all(fresh: Fresh<'_>) {
    one_of_many_claims_wins(&[fresh()]).await;
    approval_is_spent_once_under_racing(&[fresh()]).await;
    one_of_many_decisions_counts(&fresh()).await;
    every_write_of_many_is_kept(&[fresh()]).await;
}

async fn race<F>(stores: &[Arc<dyn Store>], run: impl Fn(Arc<dyn Store>, usize) -> F) -> Vec<F::Output>
where
    F: Future<Output: Send> + Send + 'static,
{
    let mut racers = JoinSet::new();
    for (position, store) in stores.iter().cycle().take(RACERS).enumerate() {
        racers.spawn(run(Arc::clone(store), position));
    }
    racers.join_all().await
}

fn count_started(answers: &[Begun]) -> usize {
    answers.iter().filter(|begun| matches!(begun, Begun::Started { .. })).count()
}

/// Of calls that claim one key, through any number of stores over the same rows.
pub async fn one_of_many_claims_wins(stores: &[Arc<dyn Store>]) {
    let answers = race(stores, |store, position| async move {
        let request = Begin { claims: vec![claim("k", "f")], ..records::begin(&format!("c{position}")) };
        begin(&*store, request).await
    });
    let answers = answers.await;
    assert_eq!(count_started(&answers), 1);
    let taken = answers.iter().filter(|begun| matches!(begun, Begun::Taken { .. })).count();
    assert_eq!(taken, RACERS - 1);
}

/// Of calls with keys of their own that use one approval, through any number of stores.
pub async fn approval_is_spent_once_under_racing(stores: &[Arc<dyn Store>]) {
    let Some(first) = stores.first() else { return };
    approve(&**first, "t1").await;
    let answers = race(stores, |store, position| async move {
        let claims = vec![claim(&format!("k{position}"), "f")];
        let request = Begin { claims, spend: Some(spend("t1")), ..records::begin(&format!("c{position}")) };
        begin(&*store, request).await
    });
    let answers = answers.await;
    assert_eq!(count_started(&answers), 1);
    let refused = |begun: &&Begun| matches!(begun, Begun::NotApproved(Some(TicketState::Spent)));
    assert_eq!(answers.iter().filter(refused).count(), RACERS - 1);
    assert_eq!(ticket(&**first, "t1").await.state, TicketState::Spent);
}

/// And everybody is told the same.
pub async fn one_of_many_decisions_counts(store: &Arc<dyn Store>) {
    let waiting = Record { ticket: Some(records::ticket("t1", "a")), ..finish("a") };
    record(&**store, waiting).await;
    let alone = [Arc::clone(store)];
    let answers = race(&alone, |store, position| async move {
        let decision = Decide {
            ticket: "t1".to_owned(),
            approve: position % 2 == 0,
            by: format!("person {position}"),
            channel: "console".to_owned(),
            comment: None,
            now_ms: NOON,
        };
        decide(&*store, decision).await
    });
    let answers = answers.await;
    let shown = ticket(&**store, "t1").await;
    assert_eq!(answers.iter().filter(|answer| matches!(answer, Decided::Now(_))).count(), 1);
    let same = |answer: &Decided| match answer {
        Decided::Now(seen) | Decided::Already(seen) => **seen == shown,
        Decided::NotAllowed(..) | Decided::NotFound => false,
    };
    assert!(answers.iter().all(same));
}

/// Through any number of stores over the same rows, with one chain.
pub async fn every_write_of_many_is_kept(stores: &[Arc<dyn Store>]) {
    let answers = race(stores, |store, position| async move {
        let call_id = format!("c{position}");
        begin(&*store, records::begin(&call_id)).await;
        record(&*store, finish(&call_id)).await;
    });
    answers.await;
    for store in stores {
        assert_eq!(must(store.calls(&CallFilter::default()).await).len(), RACERS);
        let report = must(store.report().await);
        assert_eq!(report.faults, Vec::<String>::new());
        let events = report.facts.iter().find(|(name, _)| name == "events").map(|(_, count)| count.as_str());
        assert_eq!(events, Some((2 * RACERS).to_string().as_str()));
    }
}
