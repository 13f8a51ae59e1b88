//! Approvals: decided once, used once, for exactly what they are for, and not after their time.

use toolgate_core::store::{
    Begin, Begun, Decide, Decided, Millis, NotAllowed, Record, Spend, Store, TicketRecord, TicketState, Write, Written,
    write_one,
};

use super::{
    Fresh, begin, count_events, fences, key, must, must_be_conflict, record, story, there, ticket, try_record,
};
use crate::records::{self, NOON, claim, finish, spend};

/// Every part of this file.
pub async fn all(fresh: Fresh<'_>) {
    approved_ticket_is_spent_once(&*fresh()).await;
    ticket_is_for_exactly_one_thing(&*fresh()).await;
    undecided_and_denied_tickets_are_not_spent(&*fresh()).await;
    time_ends_a_ticket(&*fresh()).await;
    first_decision_counts(&*fresh()).await;
    unknown_ticket_is_not_found(&*fresh()).await;
    several_people_must_say_yes(&*fresh()).await;
    one_no_ends_a_ticket_of_several_people(&*fresh()).await;
    begin_that_fails_keeps_the_approval(&*fresh()).await;
    ended_ticket_is_over(&*fresh()).await;
    two_tickets_do_not_wait_for_the_same(&*fresh()).await;
}

async fn ask(store: &dyn Store, id: &str) {
    record(store, Record { ticket: Some(records::ticket(id, "asks")), ..finish("asks") }).await;
}

fn decision(id: &str, approve: bool, now_ms: Millis) -> Decide {
    Decide {
        ticket: id.to_owned(),
        approve,
        by: "bob".to_owned(),
        channel: "console".to_owned(),
        comment: Some("fine".to_owned()),
        now_ms,
    }
}

#[expect(clippy::panic, reason = "an answer of another kind breaks a promise")]
pub(crate) async fn decide(store: &dyn Store, decide: Decide) -> Decided {
    match must(write_one(store, Write::Decide(decide)).await) {
        Written::Decided(decided) => decided,
        other => panic!("a decision was answered with {other:?}"),
    }
}

pub(crate) async fn approve(store: &dyn Store, id: &str) {
    ask(store, id).await;
    assert!(matches!(decide(store, decision(id, true, NOON + 1)).await, Decided::Now(_)));
}

fn spending(call_id: &str, spend: Spend) -> Begin {
    Begin { spend: Some(spend), now_ms: NOON + 2, ..records::begin(call_id) }
}

#[track_caller]
fn assert_not_approved(begun: &Begun, state: Option<TicketState>) {
    assert!(matches!(begun, Begun::NotApproved(found) if *found == state), "expected {state:?}, got {begun:?}");
}

/// The second call to use it is told that it was used.
pub async fn approved_ticket_is_spent_once(store: &dyn Store) {
    approve(store, "t1").await;
    fences(begin(store, spending("c1", spend("t1"))).await);
    let spent = ticket(store, "t1").await;
    assert_eq!((spent.state, spent.decided_by.as_deref()), (TicketState::Spent, Some("bob")));
    let again = begin(store, spending("c2", spend("t1"))).await;
    assert_not_approved(&again, Some(TicketState::Spent));
    assert!(must(store.call("c2").await).is_none());
}

/// Other arguments, another contract, another session or another id: not approved, and not used up.
pub async fn ticket_is_for_exactly_one_thing(store: &dyn Store) {
    approve(store, "t1").await;
    let other = || "other".to_owned();
    for wrong in [
        Spend { digest: other(), ..spend("t1") },
        Spend { contract: other(), ..spend("t1") },
        Spend { session: other(), ..spend("t1") },
        spend("t2"),
    ] {
        assert_not_approved(&begin(store, spending("c1", wrong)).await, None);
    }
    assert_eq!(ticket(store, "t1").await.state, TicketState::Approved);
}

/// Pending and denied are told apart.
pub async fn undecided_and_denied_tickets_are_not_spent(store: &dyn Store) {
    ask(store, "t1").await;
    assert_not_approved(&begin(store, spending("c1", spend("t1"))).await, Some(TicketState::Pending));
    assert!(matches!(decide(store, decision("t1", false, NOON + 1)).await, Decided::Now(_)));
    assert_not_approved(&begin(store, spending("c1", spend("t1"))).await, Some(TicketState::Denied));
}

/// At its last millisecond a ticket is over, for the person and for the call.
pub async fn time_ends_a_ticket(store: &dyn Store) {
    approve(store, "t1").await;
    let end = records::ticket("t1", "").expires_ms;
    let late = Begin { now_ms: end, ..spending("c1", spend("t1")) };
    assert_not_approved(&begin(store, late).await, Some(TicketState::Expired));
    ask(store, "t2").await;
    let Decided::Already(shown) = decide(store, decision("t2", true, end)).await else {
        return assert_eq!("counted", "refused", "a ticket whose time is over can't be approved");
    };
    assert_eq!((shown.state, shown.decided_by), (TicketState::Expired, None));
    assert!(matches!(decide(store, decision("t2", true, end - 1)).await, Decided::Now(_)));
}

/// Who comes second is shown what stands, and changes nothing.
pub async fn first_decision_counts(store: &dyn Store) {
    ask(store, "t1").await;
    let Decided::Now(first) = decide(store, decision("t1", false, NOON + 1)).await else {
        return assert_eq!("refused", "counted", "the first decision counts");
    };
    assert_eq!((first.state, first.decided_by.as_deref()), (TicketState::Denied, Some("bob")));
    assert_eq!((first.channel.as_deref(), first.comment.as_deref()), (Some("console"), Some("fine")));
    assert_eq!(first.decided_ms, Some(NOON + 1));
    let second = Decide { by: "eve".to_owned(), ..decision("t1", true, NOON + 2) };
    assert_eq!(decide(store, second).await, Decided::Already(first.clone()));
    assert_eq!(ticket(store, "t1").await, *first);
    assert_eq!(count_events(&story(store, "asks").await, "decided"), 1);
}

async fn ask_several(store: &dyn Store, id: &str, needed: u32) {
    let ticket = TicketRecord { needed, ..records::ticket(id, "asks") };
    record(store, Record { ticket: Some(ticket), ..finish("asks") }).await;
}

async fn yes_of(store: &dyn Store, by: &str, now_ms: Millis) -> Decided {
    decide(store, Decide { by: by.to_owned(), ..decision("t1", true, now_ms) }).await
}

/// Different people, none of whom is the agent or its user; until the last of them nothing can be spent.
pub async fn several_people_must_say_yes(store: &dyn Store) {
    ask_several(store, "t1", 2).await;
    for (by, why) in [("agent", NotAllowed::Requester), ("ann", NotAllowed::Requester), (" Ann", NotAllowed::Requester)]
    {
        let refused = yes_of(store, by, NOON + 1).await;
        assert!(matches!(refused, Decided::NotAllowed(_, found) if found == why), "{by}: {refused:?}");
    }
    let Decided::Now(first) = yes_of(store, "bob", NOON + 1).await else {
        return assert_eq!("refused", "counted", "the first of two people counts");
    };
    assert_eq!((first.state, first.approvals.len()), (TicketState::Pending, 1));
    assert_not_approved(&begin(store, spending("c1", spend("t1"))).await, Some(TicketState::Pending));
    let twice = yes_of(store, "bob", NOON + 2).await;
    assert!(matches!(twice, Decided::NotAllowed(_, NotAllowed::Twice)), "{twice:?}");
    let Decided::Now(last) = yes_of(store, "olga", NOON + 3).await else {
        return assert_eq!("refused", "counted", "the second of two people counts");
    };
    assert_eq!((last.state, last.decided_by.as_deref()), (TicketState::Approved, Some("olga")));
    let said: Vec<(&str, Millis)> = last.approvals.iter().map(|given| (given.by.as_str(), given.at_ms)).collect();
    assert_eq!(said, [("bob", NOON + 1), ("olga", NOON + 3)]);
    assert_eq!(ticket(store, "t1").await, *last);
    assert_eq!(count_events(&story(store, "asks").await, "decided"), 2);
    assert!(matches!(yes_of(store, "zoe", NOON + 4).await, Decided::Already(_)));
    fences(begin(store, spending("c1", spend("t1"))).await);
}

/// Whoever it is, and whoever said yes before.
pub async fn one_no_ends_a_ticket_of_several_people(store: &dyn Store) {
    ask_several(store, "t1", 3).await;
    assert!(matches!(yes_of(store, "bob", NOON + 1).await, Decided::Now(_)));
    let no = Decide { by: "ann".to_owned(), ..decision("t1", false, NOON + 2) };
    let Decided::Now(denied) = decide(store, no).await else {
        return assert_eq!("refused", "counted", "the user may say no");
    };
    assert_eq!((denied.state, denied.decided_by.as_deref()), (TicketState::Denied, Some("ann")));
    assert!(matches!(yes_of(store, "olga", NOON + 3).await, Decided::Already(_)));
}

/// A decision about nothing is no error.
pub async fn unknown_ticket_is_not_found(store: &dyn Store) {
    assert_eq!(decide(store, decision("t1", true, NOON)).await, Decided::NotFound);
}

/// Where a key is taken, the approval stays unspent.
pub async fn begin_that_fails_keeps_the_approval(store: &dyn Store) {
    approve(store, "t1").await;
    fences(begin(store, Begin { claims: vec![claim("k", "f")], ..records::begin("c1") }).await);
    let both = Begin { claims: vec![claim("free", "f"), claim("k", "f")], ..spending("c2", spend("t1")) };
    assert!(matches!(begin(store, both).await, Begun::Taken { claim: 1, .. }));
    assert_eq!(ticket(store, "t1").await.state, TicketState::Approved);
    assert_eq!(key(store, "free").await, None);
    assert_eq!(there(key(store, "k").await).call_id, "c1");
}

/// A call that ends takes its unused ticket with it; a used one stays used.
pub async fn ended_ticket_is_over(store: &dyn Store) {
    let ending = |id: &str, end| Record { end_ticket: Some((id.to_owned(), end)), ..finish("asks") };
    ask(store, "t1").await;
    record(store, ending("t1", TicketState::Expired)).await;
    assert_eq!(ticket(store, "t1").await.state, TicketState::Expired);
    record(store, ending("t1", TicketState::Expired)).await;
    must_be_conflict(&try_record(store, ending("t1", TicketState::Denied)).await);
    must_be_conflict(&try_record(store, ending("none", TicketState::Denied)).await);
    approve(store, "t2").await;
    must_be_conflict(&try_record(store, ending("t2", TicketState::Spent)).await);
    fences(begin(store, spending("c1", spend("t2"))).await);
    must_be_conflict(&try_record(store, ending("t2", TicketState::Denied)).await);
    assert_eq!(ticket(store, "t2").await.state, TicketState::Spent);
}

/// A second ticket for the same call of the same agent in the same task is refused while one waits,
/// and only then.
pub async fn two_tickets_do_not_wait_for_the_same(store: &dyn Store) {
    let like = |id: &str| TicketRecord { task: "t".to_owned(), ..records::ticket(id, "asks") };
    let write = |ticket: TicketRecord| Record { ticket: Some(ticket), ..finish("asks") };
    record(store, write(like("t1"))).await;
    must_be_conflict(&try_record(store, write(like("t2"))).await);
    assert!(must(store.ticket("t2").await).is_none());
    for other in [
        TicketRecord { task: "t9".to_owned(), ..like("o1") },
        TicketRecord { principal: "b".to_owned(), ..like("o2") },
        TicketRecord { digest: "e".to_owned(), ..like("o3") },
        TicketRecord { contract: "e".to_owned(), ..like("o4") },
        TicketRecord { session: "s9".to_owned(), ..like("o5") },
        TicketRecord { tool: "other".to_owned(), ..like("o6") },
        // The first is over when this one is made.
        TicketRecord { created_ms: NOON + 3_600_000, expires_ms: NOON + 7_200_000, ..like("o7") },
    ] {
        record(store, write(other)).await;
    }
    must_be_conflict(&try_record(store, write(like("t3"))).await);
    for (position, id) in ["t1", "o7"].into_iter().enumerate() {
        let at = NOON + if position == 0 { 1 } else { 3_600_001 };
        assert!(matches!(decide(store, decision(id, false, at)).await, Decided::Now(_)));
    }
    record(store, write(like("t4"))).await;
}
