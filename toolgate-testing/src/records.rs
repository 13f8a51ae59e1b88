//! Records to fill a store with: small, whole, told apart by the names they are given.

use serde_json::json;
use toolgate_core::ledger::{CallState, Ending};
use toolgate_core::spec::Repeat;
use toolgate_core::store::{
    Begin, CallRecord, Claim, Event, Millis, OutcomeRecord, Record, Settle, Spend, StoredResult, TicketRecord,
    TicketState, TicketView,
};

/// The moment at which the calls of this module come in.
pub const NOON: Millis = 1_800_000_000_000;

/// The owner of the calls that [`begin`] begins.
pub const OWNER: &str = "boot:1:1";

/// A call of the tool `send` in session `s`, task `t`.
pub fn call(call_id: &str, state: CallState) -> CallRecord {
    CallRecord {
        call_id: call_id.to_owned(),
        state: state.as_str().to_owned(),
        principal: "agent".to_owned(),
        session: "s".to_owned(),
        task: "t".to_owned(),
        task_type: "demo".to_owned(),
        scope: "turn-1".to_owned(),
        tool: "send".to_owned(),
        risk: Some("external".to_owned()),
        arguments: json!({ "to": "a@example.com", "body": "héllo \u{0}\u{1F980}" }),
        redaction: "r1".to_owned(),
        received_ms: NOON,
        effect: "none".to_owned(),
        ..CallRecord::default()
    }
}

/// An event of a call.
pub fn event(call_id: &str, kind: &'static str) -> Event {
    Event::new(call_id, kind, NOON, &json!({ "b": [1, 2.5, null], "a": "ä" }))
}

/// Transaction A of a call without keys or approval, with one event.
pub fn begin(call_id: &str) -> Begin {
    Begin {
        call: call(call_id, CallState::Running).into(),
        events: vec![event(call_id, "started")],
        owner: OWNER.to_owned(),
        lease: None,
        claims: Vec::new(),
        spend: None,
        marks: Vec::new(),
        now_ms: NOON,
    }
}

/// A claim of a key that has one effect.
pub fn claim(key: &str, fingerprint: &str) -> Claim {
    Claim { key: key.to_owned(), fingerprint: fingerprint.to_owned(), repeat: Repeat::Once, stale: None }
}

/// Transaction B of a call that succeeded, with one event.
pub fn finish(call_id: &str) -> Record {
    let mut call = call(call_id, CallState::Succeeded);
    "OK".clone_into(&mut call.code);
    "done".clone_into(&mut call.effect);
    call.finished_ms = Some(NOON + 5);
    Record { durable: true, ..Record::of(call, vec![event(call_id, "finished")]) }
}

/// The end of a claim, not late.
pub fn settle(key: &str, fence: u64, ending: Ending) -> Settle {
    Settle { key: key.to_owned(), fence, ending, late: false }
}

/// A pending ticket of a call, for an hour, in a task of its own: no two ask for the same.
pub fn ticket(id: &str, call_id: &str) -> TicketRecord {
    TicketRecord {
        id: id.to_owned(),
        call_id: call_id.to_owned(),
        tool: "send".to_owned(),
        contract: "c".to_owned(),
        digest: "d".to_owned(),
        sealed: vec![0, 255, 1],
        session: "s".to_owned(),
        task: format!("t-{id}"),
        principal: "agent".to_owned(),
        user: Some("ann".to_owned()),
        policy: "p1".to_owned(),
        view: TicketView { what: "send it".to_owned(), arguments: vec!["to = a".to_owned()], ..TicketView::default() },
        created_ms: NOON,
        expires_ms: NOON + 3_600_000,
        state: TicketState::Pending,
        needed: 1,
        approvals: Vec::new(),
        decided_by: None,
        channel: None,
        comment: None,
        decided_ms: None,
    }
}

/// What uses up [`ticket`].
pub fn spend(id: &str) -> Spend {
    Spend { ticket: id.to_owned(), digest: "d".to_owned(), contract: "c".to_owned(), session: "s".to_owned() }
}

/// An outcome of `send` in session `s`, task `t`.
pub fn outcome(call_id: &str, ok: bool) -> OutcomeRecord {
    OutcomeRecord {
        session: "s".to_owned(),
        task: "t".to_owned(),
        tool: "send".to_owned(),
        call_id: call_id.to_owned(),
        at_ms: NOON,
        ok,
        facts: vec![1, 0, 2],
    }
}

/// A result of a call in session `s`.
pub fn result(call_id: &str) -> StoredResult {
    StoredResult { call_id: call_id.to_owned(), session: "s".to_owned(), sealed: vec![9, 0, 9] }
}
