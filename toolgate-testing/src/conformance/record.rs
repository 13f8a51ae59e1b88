//! Transaction B and the other records of a call: everything of one, or nothing.

use std::sync::Arc;

use toolgate_core::ledger::{CallState, Ending, KeyState};
use toolgate_core::store::{Begin, Record, Settle, StopReach, Store, TicketState, Write, Written, write_one};

use super::{Fresh, begin, count_events, fences, key, must, must_be_conflict, record, story, there, try_record};
use crate::records::{self, NOON, call, claim, event, finish, outcome, result, settle, ticket};

/// Every part of this file.
pub async fn all(fresh: Fresh<'_>) {
    record_is_read_back_as_written(&*fresh()).await;
    answered_call_stays_answered(&*fresh()).await;
    another_fence_changes_nothing(&*fresh()).await;
    illegal_settle_changes_nothing(&*fresh()).await;
    late_result_settles_a_key_in_doubt(&*fresh()).await;
    late_result_may_correct_the_call(&*fresh()).await;
    refused_write_leaves_its_batch_alone(&*fresh()).await;
    kept_result_is_replaced_by_a_later_one(&*fresh()).await;
    ticket_of_a_taken_id_is_refused(&*fresh()).await;
    illegal_transition_is_refused(&*fresh()).await;
    note_adds_an_event_and_changes_no_row(&*fresh()).await;
    undo_folder_is_one_and_the_same(&*fresh()).await;
}

async fn begin_with_key(store: &dyn Store, call_id: &str) {
    let request = Begin { claims: vec![claim("k", "f")], ..records::begin(call_id) };
    assert_eq!(fences(begin(store, request).await), [1]);
}

/// Record, events, result, outcome and ticket come back as they went in.
pub async fn record_is_read_back_as_written(store: &dyn Store) {
    begin_with_key(store, "c1").await;
    let whole = Record {
        events: vec![event("c1", "finished"), event("c1", "noted")],
        settle: vec![settle("k", 1, Ending::Succeeded)],
        outcome: Some(outcome("c1", true)),
        result: Some(result("c1")),
        ticket: Some(ticket("t1", "c1")),
        ..finish("c1")
    };
    record(store, whole.clone()).await;
    let told = story(store, "c1").await;
    assert_eq!(told.record, *whole.call);
    let kinds: Vec<&str> = told.events.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(kinds, ["started", "finished", "noted"]);
    let body: Option<serde_json::Value> = serde_json::from_str(&event("c1", "").facts.text()).ok();
    assert!(told.events.iter().all(|stored| Some(&stored.body) == body.as_ref() && stored.at_ms == NOON));
    assert_eq!(must(store.result("c1").await), whole.result);
    assert_eq!(must(store.outcomes("s", "t", "send", 9).await), [outcome("c1", true)]);
    assert_eq!(must(store.ticket("t1").await), whole.ticket);
    let settled = there(key(store, "k").await);
    assert_eq!((settled.state, settled.settled_ms), (KeyState::Succeeded, Some(NOON + 5)));
}

/// A terminal state never becomes an open one again, nor a word that is no state.
pub async fn answered_call_stays_answered(store: &dyn Store) {
    record(store, finish("c1")).await;
    let again = Record::of(call("c1", CallState::Authorized), vec![event("c1", "x")]);
    must_be_conflict(&try_record(store, again).await);
    let mut odd = finish("c1");
    "DREAMING".clone_into(&mut Arc::make_mut(&mut odd.call).state);
    must_be_conflict(&try_record(store, odd).await);
    let told = story(store, "c1").await;
    assert_eq!((told.record.state.as_str(), told.events.len()), ("SUCCEEDED", 1));
}

fn with_everything(settle: Settle) -> Record {
    Record {
        settle: vec![settle],
        outcome: Some(outcome("c1", true)),
        result: Some(result("c1")),
        ticket: Some(ticket("t1", "c1")),
        stop: Some((StopReach::Session, NOON)),
        ..finish("c1")
    }
}

async fn assert_only_begun(store: &dyn Store) {
    let told = story(store, "c1").await;
    assert_eq!((told.record.state.as_str(), told.events.len()), ("RUNNING", 1));
    assert_eq!(must(store.result("c1").await), None);
    assert_eq!(must(store.outcomes("s", "t", "send", 9).await), []);
    assert_eq!(must(store.ticket("t1").await), None);
    assert_eq!(must(store.stops().await), []);
    assert_eq!(there(key(store, "k").await).state, KeyState::Running);
}

/// Who lost the key can't write its end, nor anything that comes with it.
pub async fn another_fence_changes_nothing(store: &dyn Store) {
    begin_with_key(store, "c1").await;
    for fence in [0, 2] {
        must_be_conflict(&try_record(store, with_everything(settle("k", fence, Ending::Succeeded))).await);
    }
    assert_only_begun(store).await;
}

/// Neither an unknown key nor a late end of a key that still runs.
pub async fn illegal_settle_changes_nothing(store: &dyn Store) {
    begin_with_key(store, "c1").await;
    must_be_conflict(&try_record(store, with_everything(settle("unknown", 1, Ending::Succeeded))).await);
    let late = Settle { late: true, ..settle("k", 1, Ending::Succeeded) };
    must_be_conflict(&try_record(store, with_everything(late)).await);
    assert_only_begun(store).await;
    record(store, with_everything(settle("k", 1, Ending::Succeeded))).await;
    let twice = Record { settle: vec![settle("k", 1, Ending::FailedFinal)], ..finish("c1") };
    must_be_conflict(&try_record(store, twice).await);
    assert_eq!(there(key(store, "k").await).state, KeyState::Succeeded);
}

/// The run that owns a key in doubt may still say how it ended, once.
pub async fn late_result_settles_a_key_in_doubt(store: &dyn Store) {
    begin_with_key(store, "c1").await;
    record(store, Record { settle: vec![settle("k", 1, Ending::InDoubt)], ..finish("c1") }).await;
    let late = Settle { late: true, ..settle("k", 1, Ending::Succeeded) };
    record(store, Record { settle: vec![late.clone()], ..finish("c1") }).await;
    assert_eq!(there(key(store, "k").await).state, KeyState::Succeeded);
    must_be_conflict(&try_record(store, Record { settle: vec![late], ..finish("c1") }).await);
}

/// One terminal state may be written over another.
pub async fn late_result_may_correct_the_call(store: &dyn Store) {
    record(store, Record::of(call("c1", CallState::TimedOut), Vec::new())).await;
    record(store, finish("c1")).await;
    assert_eq!(story(store, "c1").await.record, *finish("c1").call);
}

/// What was refused didn't happen, what is answered stays so, and no stage is skipped.
pub async fn illegal_transition_is_refused(store: &dyn Store) {
    let put = async |call_id: &str, state| try_record(store, Record::of(call(call_id, state), Vec::new())).await;
    let steps = [
        (CallState::Denied, CallState::Succeeded),
        (CallState::Succeeded, CallState::Denied),
        (CallState::Received, CallState::Running),
        (CallState::Running, CallState::Denied),
        (CallState::Failed, CallState::Succeeded),
        (CallState::AwaitingConfirmation, CallState::Unknown),
    ];
    for (number, (before, next)) in steps.into_iter().enumerate() {
        let call_id = format!("c{number}");
        must(put(&call_id, before).await);
        must_be_conflict(&put(&call_id, next).await);
        assert_eq!(story(store, &call_id).await.record.state, before.as_str());
    }
}

/// In a batch each write stands or falls alone.
pub async fn refused_write_leaves_its_batch_alone(store: &dyn Store) {
    let bad = Record { settle: vec![settle("unknown", 1, Ending::Succeeded)], ..finish("bad") };
    let batch = [finish("c1"), bad, finish("c2")].map(|record| Write::Record(Box::new(record)));
    let answers = store.write(batch.into()).await;
    let done: Vec<bool> = answers.iter().map(|answer| matches!(answer, Ok(Written::Done))).collect();
    assert_eq!(done, [true, false, true]);
    assert_eq!(story(store, "c1").await.events.len(), 1);
    assert!(must(store.call("bad").await).is_none());
    assert_eq!(story(store, "c2").await.events.len(), 1);
    assert!(store.write(Vec::new()).await.is_empty(), "no write, no answer");
}

/// A call has one result.
pub async fn kept_result_is_replaced_by_a_later_one(store: &dyn Store) {
    record(store, Record { result: Some(result("c1")), ..finish("c1") }).await;
    let mut later = result("c1");
    later.sealed = vec![7];
    record(store, Record { result: Some(later.clone()), ..finish("c1") }).await;
    assert_eq!(must(store.result("c1").await), Some(later));
    assert_eq!(must(store.result("c2").await), None);
}

/// A ticket can't be written over another.
pub async fn ticket_of_a_taken_id_is_refused(store: &dyn Store) {
    record(store, Record { ticket: Some(ticket("t1", "c1")), ..finish("c1") }).await;
    let mut second = ticket("t1", "c2");
    second.state = TicketState::Approved;
    must_be_conflict(&try_record(store, Record { ticket: Some(second), ..finish("c2") }).await);
    assert_eq!(super::ticket(store, "t1").await, ticket("t1", "c1"));
    assert!(must(store.call("c2").await).is_none());
}

/// It stands in its order among the others, and once for each write; the record and its keys stay.
pub async fn note_adds_an_event_and_changes_no_row(store: &dyn Store) {
    begin_with_key(store, "c1").await;
    let (call_before, key_before) = (story(store, "c1").await.record, key(store, "k").await);
    for _ in 0..2 {
        let noted = must(write_one(store, Write::Note(event("c1", "alerted"))).await);
        assert!(matches!(noted, Written::Done), "a note is answered with `Done`");
    }
    let told = story(store, "c1").await;
    let kinds: Vec<&str> = told.events.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(kinds, ["started", "alerted", "alerted"]);
    assert_eq!((told.record, key(store, "k").await), (call_before, key_before));
    record(store, finish("c1")).await;
    assert_eq!(count_events(&story(store, "c1").await, "alerted"), 2);
}

/// What is kept for undoing is found again: the folder has a name, and what is written moves it nowhere.
pub async fn undo_folder_is_one_and_the_same(store: &dyn Store) {
    let before = store.undo_folder();
    assert!(before.as_ref().is_none_or(|folder| folder.file_name().is_some()), "a folder has a name: {before:?}");
    record(store, finish("c1")).await;
    assert_eq!(store.undo_folder(), before);
}
