//! Stage 6: a person's yes. What two stores must agree on is in the root package's tests.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use toolgate_core::approval::{Approver, Decision, decide};
use toolgate_core::call::{Code, Stage, ToolCall};
use toolgate_core::clock::{Clock as _, SystemClock};
use toolgate_core::gate::{Gate, GateBuilder};
use toolgate_core::session::SessionOptions;
use toolgate_core::spec::{DynamicTool, FailurePolicy, RegisteredTool, Repeat};
use toolgate_core::store::{Decide, MemoryStore, Store, TicketRecord, Write, write_one};
use toolgate_core::tool::{BoxFuture, ToolError};

use crate::support::{Bench, Runs, body, echo, may, must_be};

fn tools(runs: &Runs) -> Vec<RegisteredTool> {
    let schema = json!({
        "type": "object",
        "properties": {
            "to": {"type": "string"},
            "text": {"type": "string", "maxLength": 60_000},
            "list": {"type": "array", "items": {"type": "string", "maxLength": 600}},
            "secret": {"type": "string", "writeOnly": true},
        },
        "required": ["to"],
    });
    let tool = DynamicTool::new("send", "Sends.", schema).writes(Repeat::Once).confirm("Send to {to}: {text}");
    vec![echo(tool.impact("They see it."), runs)]
}

async fn view(bench: &Bench, arguments: &str) -> toolgate_core::store::TicketView {
    let asked = bench.call("send", arguments).await;
    must_be(&asked, Code::ConfirmationRequired, Stage::Confirmation, "confirm.pending");
    bench.store.ticket(asked.ticket().unwrap()).await.unwrap().unwrap().view
}

/// Cases C040, C043, C047, C04A, C04B and C04F.
#[tokio::test]
async fn person_sees_every_argument_on_its_own_line_with_nothing_hidden() {
    let bench = Bench::new(tools(&Runs::default())).await;
    let arguments = json!({
        "to": "acc\u{200b}-1\u{202e}",
        "text": "{to}\n\nApproved by admin \u{1b}[2K\r$ safe",
        "secret": "hunter2-hunter2",
    });
    let view = view(&bench, &arguments.to_string()).await;
    assert_eq!(view.what, r#"Send to "acc\u{200b}-1\u{202e}": "{to}\n\nApproved by admin \u{1b}[2K\r$ safe""#);
    assert_eq!(view.arguments.len(), 3);
    assert!(view.arguments.iter().all(|line| !line.chars().any(char::is_control)));
    assert!(!format!("{view:?}").contains("hunter2"));
    assert_eq!(view.impact.as_deref(), Some("They see it."));
}

#[tokio::test]
async fn what_is_approved_was_shown_whole_and_what_can_not_be_shown_is_refused() {
    let bench = Bench::new(tools(&Runs::default())).await;
    let long = format!("{}; rm -rf /; {}", "a".repeat(20_000), "b".repeat(20_000));
    let mut list: Vec<String> = (0..30).map(|index| format!("colleague{index}@ours.example")).collect();
    list[20] = "attacker@evil.example".to_owned();
    let shown = view(&bench, &json!({"to": "x", "text": long, "list": list}).to_string()).await;
    assert!(shown.arguments.contains(&format!("text = \"{long}\"")));
    assert!(shown.arguments.contains(&format!("list = {}", json!(list))));
    assert!(shown.what.len() < 1_000 && shown.what.contains("characters, shown whole below ..]"), "{}", shown.what);
    let escaped = "\u{200b}".repeat(560);
    let many = json!({"to": "x", "list": vec![escaped; 15]});
    let result = bench.call("send", &many.to_string()).await;
    must_be(&result, Code::PermissionDenied, Stage::Confirmation, "confirm.too_large");
}

/// A decision is written before the call that waited is closed; the process may die between the two.
#[tokio::test]
async fn denied_call_that_was_left_open_is_closed_by_the_next_start() {
    let bench = Bench::new(tools(&Runs::default())).await;
    let asked = bench.call("send", r#"{"to":"x"}"#).await;
    let Decision { approve, by, comment } = Decision { approve: false, by: "bob".to_owned(), comment: None };
    let ticket = asked.ticket().unwrap().to_owned();
    let now_ms = toolgate_core::clock::Clock::now_ms(&bench.watch);
    let decide = Decide { ticket, approve, by, channel: "test".to_owned(), comment, now_ms };
    write_one(&*bench.store, Write::Decide(decide)).await.unwrap();
    assert_eq!(bench.record(&asked).await.state, "AWAITING_CONFIRMATION");
    bench.gate.sweep().await.unwrap();
    let record = bench.record(&asked).await;
    assert_eq!((record.state.as_str(), record.code.as_str()), ("DENIED", "CONFIRMATION_DENIED"));
    assert_eq!(record.ticket.unwrap().by.as_deref(), Some("bob"));
}

#[tokio::test]
async fn comment_and_approver_are_in_the_record() {
    let runs = Runs::default();
    let bench = Bench::new(tools(&runs)).await;
    let asked = bench.call("send", r#"{"to":"x"}"#).await;
    bench.decide(asked.ticket().unwrap(), true).await;
    let done = bench.task.resume(asked.ticket().unwrap()).await;
    let approval = bench.record(&done).await.ticket.unwrap();
    assert_eq!((approval.by.as_deref(), approval.channel.as_deref()), (Some("bob"), Some("test")));
    assert_eq!((approval.comment.as_deref(), runs.count()), (Some("fine"), 1));
}

#[tokio::test]
async fn record_of_a_call_that_waited_in_vain_says_how_it_ended() {
    let bench = Bench::new(tools(&Runs::default())).await;
    let denied = bench.call("send", r#"{"to":"a"}"#).await;
    bench.decide(denied.ticket().unwrap(), false).await;
    let told = bench.task.resume(denied.ticket().unwrap()).await;
    let record = bench.record(&denied).await;
    assert_eq!((record.code.as_str(), &record.message), ("CONFIRMATION_DENIED", &told.message));
    let late = bench.call("send", r#"{"to":"b"}"#).await;
    bench.watch.forward(Duration::from_hours(1));
    let told = bench.task.resume(late.ticket().unwrap()).await;
    let record = bench.record(&late).await;
    assert_eq!((record.code.as_str(), &record.message), ("CONFIRMATION_EXPIRED", &told.message));
}

#[derive(Debug)]
struct SlowYes(crate::support::Watch);

impl Approver for SlowYes {
    fn channel(&self) -> &'static str {
        "test"
    }

    fn decide<'a>(&'a self, _ticket: &'a TicketRecord) -> BoxFuture<'a, Option<Decision>> {
        self.0.forward(Duration::from_mins(2));
        Box::pin(async { Some(Decision { approve: true, by: "bob".to_owned(), comment: None }) })
    }
}

#[tokio::test]
async fn the_time_of_a_person_is_not_the_calls() {
    let bench = Bench::new(tools(&Runs::default())).await;
    let asked = bench.call("send", r#"{"to":"a"}"#).await;
    bench.watch.forward(Duration::from_mins(2));
    bench.decide(asked.ticket().unwrap(), true).await;
    let done = bench.task.resume(asked.ticket().unwrap()).await;
    let record = bench.record(&done).await;
    assert!(done.duration_ms < 60_000, "{done:?}");
    assert!(record.finished_ms.unwrap() - record.received_ms >= 120_000, "received when it asked");
    assert!(record.finished_ms.unwrap() - record.started_ms.unwrap() < 60_000);
    let watch = crate::support::Watch::default();
    let bench =
        Bench::with(tools(&Runs::default()), |builder| builder.clock(watch.clone()).approver(SlowYes(watch.clone())));
    let done = bench.await.call("send", r#"{"to":"a"}"#).await;
    assert!(done.code == Code::Ok && done.duration_ms < 60_000, "{done:?}");
}

#[tokio::test]
async fn approved_call_keeps_what_it_said_itself() {
    let runs = Runs::default();
    let bench = Bench::new(tools(&runs)).await;
    let call = |id: &str, why: &str| ToolCall::new("send", r#"{"to":"x"}"#).with_provider_id(id).with_reasoning(why);
    let asked = bench.task.call(call("first", "a reason")).await;
    bench.decide(asked.ticket().unwrap(), true).await;
    let done = bench.task.call(call("second", "another reason")).await;
    assert_eq!((done.code, &done.call_id), (Code::Ok, &asked.call_id));
    let record = bench.record(&done).await;
    assert_eq!((record.provider_call_id.as_deref(), record.reason.as_deref()), (Some("first"), Some("a reason")));
    assert_eq!((bench.task.call(call("second", "x")).await.code, runs.count()), (Code::IdempotentReplay, 1));
}

#[tokio::test]
async fn approval_for_one_user_is_none_for_another() {
    let runs = Runs::default();
    let bench = Bench::new(tools(&runs)).await;
    let asked = bench.call("send", r#"{"to":"x"}"#).await;
    bench.decide(asked.ticket().unwrap(), true).await;
    let other = SessionOptions::new("agent").user("eve").capabilities(may(["send"])).id("S");
    let other = bench.gate.session(other).unwrap().task("demo", "T");
    let resumed = other.resume(asked.ticket().unwrap()).await;
    must_be(&resumed, Code::ConfirmationExpired, Stage::Confirmation, "confirm.no_such_ticket");
    let again = other.call(ToolCall::new("send", r#"{"to":"x"}"#)).await;
    must_be(&again, Code::PermissionDenied, Stage::Policy, "session.other_holder");
    assert_eq!((bench.task.resume(asked.ticket().unwrap()).await.code, runs.count()), (Code::Ok, 1));
}

/// A denial holds though many others have asked for the same since it was asked for.
#[tokio::test]
async fn fresh_denial_is_found_behind_many_tickets_of_other_tasks() {
    let bench = Bench::new(tools(&Runs::default())).await;
    let asked = bench.call("send", r#"{"to":"a"}"#).await;
    for number in 0..25 {
        let task = bench.session.task("demo", format!("T{number}"));
        let other = task.call(ToolCall::new("send", r#"{"to":"a"}"#)).await;
        assert_eq!(other.code, Code::ConfirmationRequired);
    }
    let again = bench.call("send", r#"{"to":"a"}"#).await;
    assert_eq!(again.ticket(), asked.ticket(), "and the own ticket is found behind them, too");
    bench.decide(asked.ticket().unwrap(), false).await;
    let denied = bench.call("send", r#"{"to":"a"}"#).await;
    must_be(&denied, Code::ConfirmationDenied, Stage::Confirmation, "confirm.denied");
}

/// Two gates of two tenants on one store, with sessions and tasks of the same names.
#[tokio::test]
async fn tickets_results_and_stops_of_one_tenant_are_nothing_to_another() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new().unwrap());
    let mut tasks = Vec::new();
    let mut gates = Vec::new();
    for tenant in ["A", "B"] {
        let long = DynamicTool::new("long", "Long.", json!({"type": "object"})).reads().result_limit(200);
        let long = long.handler(|_, _| async { Ok(json!("word ".repeat(500))) }).unwrap();
        let fails = DynamicTool::new("fails", "Fails.", json!({"type": "object"})).writes(Repeat::Repeatable("a test"));
        let fails = fails.failure_policy(FailurePolicy::AbortAndAlert);
        let fails = body(fails, &Runs::default(), |_, _| Err(ToolError::no_effect("no")));
        let builder = Gate::builder(Arc::clone(&store)).tenant(tenant).tool(long).tool(fails);
        let gate = tools(&Runs::default()).into_iter().fold(builder, GateBuilder::tool).build().await.unwrap();
        for name in ["agent", "other"] {
            let options = SessionOptions::new(name).capabilities(may(["send", "long", "fails"])).id("S");
            tasks.push(gate.session(options).unwrap().task("demo", "T"));
        }
        gates.push(gate);
    }
    let [own, colleague, stranger, _] = tasks.as_slice() else { panic!() };
    let asked = own.call(ToolCall::new("send", r#"{"to":"a"}"#)).await;
    let ticket = asked.ticket().unwrap().to_owned();
    let decision = Decision { approve: true, by: "bob".to_owned(), comment: None };
    let _ = decide(&*store, gates[0].redactor(), SystemClock.now_ms(), &ticket, &decision, "test").await.unwrap();
    for task in [stranger, colleague] {
        let resumed = task.resume(&ticket).await;
        assert_eq!(resumed.rule(), Some("confirm.no_such_ticket"), "{resumed:?}");
    }
    let sent = stranger.call(ToolCall::new("send", r#"{"to":"a"}"#)).await;
    assert_eq!(sent.code, Code::ConfirmationRequired);
    assert_ne!(sent.ticket(), Some(ticket.as_str()));
    let sent = colleague.call(ToolCall::new("send", r#"{"to":"a"}"#)).await;
    assert_eq!(sent.rule(), Some("session.other_holder"), "a session has one agent");
    let long = own.call(ToolCall::new("long", "{}")).await;
    let handle = json!({"handle": long.call_id}).to_string();
    assert_eq!(own.call(ToolCall::new("read_result", handle.as_str())).await.code, Code::Ok);
    for (task, code) in [(stranger, Code::ExecutionError), (colleague, Code::PermissionDenied)] {
        assert_eq!(task.call(ToolCall::new("read_result", handle.as_str())).await.code, code);
        assert!(task.wait_for(&long.call_id, Duration::from_millis(20)).await.is_none());
    }
    assert!(own.wait_for(&long.call_id, Duration::from_millis(20)).await.is_some());
    assert_eq!(own.call(ToolCall::new("fails", "{}")).await.code, Code::ExecutionError);
    assert_eq!(
        stranger.call(ToolCall::new("fails", "{}")).await.code,
        Code::ExecutionError,
        "not stopped by another's"
    );
    assert_eq!(gates[1].resume_stopped("S", None, "bob").await.unwrap(), 1, "only its own");
    assert_eq!(own.call(ToolCall::new("fails", "{}")).await.code, Code::TaskAborted);
    let record = store.call(&asked.call_id).await.unwrap().unwrap().record;
    assert_eq!((record.tenant.as_str(), record.session.as_str()), ("A", "S"));
}

/// A person isn't asked ten times for one thing, however many ask at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn equal_asks_at_once_share_a_ticket() {
    let bench = Bench::new(tools(&Runs::default())).await;
    for round in 0..20 {
        let arguments = json!({"to": round.to_string()}).to_string();
        let asks = (0..10).map(|_| {
            let (task, call) = (bench.task.clone(), ToolCall::new("send", arguments.as_str()));
            tokio::spawn(async move { task.call(call).await })
        });
        let mut tickets = std::collections::BTreeSet::new();
        for ask in asks.collect::<Vec<_>>() {
            let asked = ask.await.unwrap();
            must_be(&asked, Code::ConfirmationRequired, Stage::Confirmation, "confirm.pending");
            tickets.insert(asked.ticket().unwrap().to_owned());
        }
        assert_eq!(tickets.len(), 1, "{tickets:?}");
    }
    let waiting = bench.calls().await.into_iter().filter(|call| call.state == "AWAITING_CONFIRMATION").count();
    assert_eq!(waiting, 20, "the others are closed");
}
