//! A person's yes: for exactly what was shown, once, in time, and never older than the policy and the
//! preconditions that hold when it is used.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use toolgate::approval::{Approver, Decision};
use toolgate::policy::{CapabilityPolicy, Decision as PolicyDecision, Policy, PolicyRequest, Verdict};
use toolgate::store::{TicketFilter, TicketRecord, TicketState};
use toolgate::{Code, Effect, ToolCall, ToolResult};
use toolgate_core::tool::BoxFuture;

use super::support::{Bench, KINDS, Kind, Watch};

const REMOVE: &str = r#"{"name":"db","token":"CANARY-token-1234","why":"it is old"}"#;

async fn look(bench: &Bench) {
    assert_eq!(bench.call("look", r#"{"mode":"ok"}"#).await.code, Code::Ok);
}

/// Asks, and gives back the ticket.
async fn ask(bench: &Bench, tool: &str, arguments: &str) -> (String, ToolResult) {
    let result = bench.call(tool, arguments).await;
    assert_eq!((result.code, result.effect), (Code::ConfirmationRequired, Effect::None), "{result:?}");
    (result.ticket().unwrap().to_owned(), result)
}

async fn state(bench: &Bench, ticket: &str) -> TicketState {
    bench.store.inner().ticket(ticket).await.unwrap().unwrap().state
}

fn refused(result: &ToolResult, code: Code, rule: &str) {
    assert_eq!((result.code, result.rule(), result.effect), (code, Some(rule), Effect::None), "{result:?}");
}

#[tokio::test]
async fn approved_call_runs_under_its_own_id_and_then_replays() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        look(&bench).await;
        let (ticket, asked) = ask(&bench, "remove", REMOVE).await;
        let pending = bench.task.resume(&ticket).await;
        refused(&pending, Code::ConfirmationRequired, "confirm.pending");
        bench.decide(&ticket, true).await;
        let done = bench.task.resume(&ticket).await;
        assert_eq!((done.code, done.effect, &done.call_id), (Code::Ok, Effect::Done, &asked.call_id), "{done:?}");
        let again = bench.task.resume(&ticket).await;
        assert_eq!((again.code, &again.data), (Code::IdempotentReplay, &done.data));
        let resent = bench.call("remove", REMOVE).await;
        assert_eq!((resent.code, &resent.data), (Code::IdempotentReplay, &done.data));
        let record = bench.story(&asked.call_id).await.record;
        let approval = record.ticket.unwrap();
        assert_eq!((approval.state.as_str(), approval.by.as_deref()), ("spent", Some("bob")));
        assert_eq!(bench.world.effects(), 1);
        bench.must_be_sound().await;
    }
}

/// S1: other arguments, another tool, another session, another task or principal: each asks for itself.
#[tokio::test]
async fn approval_is_for_exactly_this_call() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let (ticket, _) = ask(&bench, "add", r#"{"line":"one"}"#).await;
        bench.decide(&ticket, true).await;
        let (other, _) = ask(&bench, "add", r#"{"line":"two"}"#).await;
        assert_ne!(other, ticket);
        let stranger = Bench::session_of(&bench.gate, &bench.folder, "S2").task("demo", "T");
        refused(&stranger.resume(&ticket).await, Code::ConfirmationExpired, "confirm.no_such_ticket");
        let elsewhere = bench.session.task("demo", "T2");
        refused(&elsewhere.resume(&ticket).await, Code::ConfirmationExpired, "confirm.no_such_ticket");
        let asked = stranger.call(ToolCall::new("add", r#"{"line":"one"}"#)).await;
        assert_eq!(asked.code, Code::ConfirmationRequired);
        let asked = elsewhere.call(ToolCall::new("add", r#"{"line":"one"}"#)).await;
        assert_eq!(asked.code, Code::ConfirmationRequired);
        for guess in ["", "ticket", &ticket[..ticket.len() - 1], &ticket.to_uppercase()] {
            refused(&bench.task.resume(guess).await, Code::ConfirmationExpired, "confirm.no_such_ticket");
        }
        assert_eq!((bench.world.effects(), state(&bench, &ticket).await), (0, TicketState::Approved), "unspent");
        let spaced = bench.call("add", " { \"line\" : \"one\" } ").await;
        assert_eq!((spaced.code, state(&bench, &ticket).await), (Code::Ok, TicketState::Spent), "{spaced:?}");
    }
}

#[tokio::test]
async fn reworded_reason_and_other_order_find_the_ticket_and_run_what_was_approved() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        look(&bench).await;
        let (ticket, asked) = ask(&bench, "remove", REMOVE).await;
        let reworded = r#"{"why":"because I say so","token":"CANARY-token-1234","name":"db"}"#;
        let waiting = bench.call("remove", reworded).await;
        assert_eq!((waiting.code, waiting.ticket()), (Code::ConfirmationRequired, Some(ticket.as_str())));
        bench.decide(&ticket, true).await;
        let other_secret = bench.call("remove", &REMOVE.replace("1234", "9999")).await;
        assert_eq!(other_secret.code, Code::ConfirmationRequired, "secrets are part of what is approved");
        let done = bench.call("remove", reworded).await;
        assert_eq!((done.code, &done.call_id), (Code::Ok, &asked.call_id), "{done:?}");
        assert_eq!(done.data, Some("removed db, because it is old".into()), "the reason that the person saw");
        let record = bench.story(&done.call_id).await.record;
        assert_eq!(record.reason.as_deref(), Some("it is old"));
    }
}

/// S2, C031: one approval, fifty at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn approval_is_spent_once_however_many_use_it() {
    for kind in KINDS {
        for (tool, arguments) in [("add", r#"{"line":"one"}"#), ("remove", REMOVE)] {
            for resumes in [true, false] {
                let bench = Bench::new(kind).await;
                look(&bench).await;
                let (ticket, _) = ask(&bench, tool, arguments).await;
                bench.decide(&ticket, true).await;
                let calls: Vec<_> = (0..50)
                    .map(|_| {
                        let (task, ticket, call) = (bench.task.clone(), ticket.clone(), ToolCall::new(tool, arguments));
                        tokio::spawn(
                            async move { if resumes { task.resume(&ticket).await } else { task.call(call).await } },
                        )
                    })
                    .collect();
                let mut ran = 0;
                for call in calls {
                    let result = call.await.unwrap();
                    match result.code {
                        Code::Ok => ran += 1,
                        Code::IdempotentReplay | Code::DuplicateCall => {}
                        // A new line wants a new yes.
                        Code::ConfirmationRequired if tool == "add" && !resumes => {}
                        _ => panic!("{kind:?} {tool} {resumes}: {result:?}"),
                    }
                }
                assert_eq!((ran, bench.world.effects()), (1, 1), "{kind:?} {tool} {resumes}");
                let tickets = bench.store.inner().tickets(&TicketFilter::default()).await.unwrap();
                if tool == "remove" || resumes {
                    assert_eq!(tickets.len(), 1, "nobody is asked twice for what is done");
                }
                bench.must_be_sound().await;
            }
        }
    }
}

/// S3: the first decision counts.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_many_decisions_wins() {
    for kind in KINDS {
        let bench = Arc::new(Bench::new(kind).await);
        let (ticket, _) = ask(&bench, "add", r#"{"line":"one"}"#).await;
        let decisions: Vec<_> = (0..20)
            .map(|n| {
                let (bench, ticket) = (Arc::clone(&bench), ticket.clone());
                tokio::spawn(async move { bench.decide(&ticket, n % 2 == 0).await.state })
            })
            .collect();
        let mut seen = Vec::new();
        for decision in decisions {
            seen.push(decision.await.unwrap());
        }
        seen.dedup();
        assert_eq!(seen, [state(&bench, &ticket).await]);
    }
}

/// S5: approved in time and used too late.
#[tokio::test]
async fn expired_approval_is_not_used_and_a_new_one_can_be_asked() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let (ticket, asked) = ask(&bench, "add", r#"{"line":"one"}"#).await;
        bench.decide(&ticket, true).await;
        bench.watch.forward(Duration::from_mins(5));
        refused(&bench.task.resume(&ticket).await, Code::ConfirmationExpired, "confirm.expired");
        let record = bench.story(&asked.call_id).await.record;
        assert_eq!((record.state.as_str(), record.code.as_str()), ("DENIED", "CONFIRMATION_EXPIRED"));
        let (second, _) = ask(&bench, "add", r#"{"line":"one"}"#).await;
        assert_ne!(second, ticket);
        assert_eq!(bench.world.effects(), 0);
    }
}

/// C066: a no is final for a while, in the whole session.
#[tokio::test]
async fn denied_call_is_not_asked_again_for_a_while() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let (ticket, asked) = ask(&bench, "add", r#"{"line":"one"}"#).await;
        bench.decide(&ticket, false).await;
        let denied = bench.task.resume(&ticket).await;
        refused(&denied, Code::ConfirmationDenied, "confirm.denied");
        assert!(!denied.retryable);
        refused(&bench.call("add", r#"{"line":"one"}"#).await, Code::ConfirmationDenied, "confirm.denied");
        let elsewhere = bench.session.task("demo", "T2").call(ToolCall::new("add", r#"{"line":"one"}"#)).await;
        refused(&elsewhere, Code::ConfirmationDenied, "confirm.denied");
        let record = bench.story(&asked.call_id).await.record;
        assert_eq!((record.state.as_str(), record.code.as_str()), ("DENIED", "CONFIRMATION_DENIED"));
        bench.watch.forward(Duration::from_mins(10));
        let (second, _) = ask(&bench, "add", r#"{"line":"one"}"#).await;
        assert_ne!(second, ticket);
        assert_eq!(bench.world.effects(), 0);
    }
}

/// Allows until it is told not to.
#[derive(Debug, Clone, Default)]
struct Tightening {
    tight: Arc<AtomicBool>,
}

impl Policy for Tightening {
    fn version(&self) -> String {
        if self.tight.load(Ordering::SeqCst) { "v2" } else { "v1" }.to_owned()
    }

    fn decide(&self, request: &PolicyRequest<'_>) -> PolicyDecision {
        if self.tight.load(Ordering::SeqCst) {
            return PolicyDecision::new(Verdict::Deny, "tight", "no more");
        }
        CapabilityPolicy.decide(request)
    }
}

/// S6: the policy that holds at dispatch decides.
#[tokio::test]
async fn policy_that_denies_meanwhile_is_heard() {
    for kind in KINDS {
        let policy = Tightening::default();
        let bench = Bench::with(kind, |builder| builder.policy(policy.clone())).await;
        let (ticket, _) = ask(&bench, "add", r#"{"line":"one"}"#).await;
        bench.decide(&ticket, true).await;
        policy.tight.store(true, Ordering::SeqCst);
        refused(&bench.task.resume(&ticket).await, Code::PermissionDenied, "policy.rule");
        assert_eq!((bench.world.effects(), state(&bench, &ticket).await), (0, TicketState::Approved), "unspent");
    }
}

#[tokio::test]
async fn precondition_that_no_longer_holds_is_heard() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        look(&bench).await;
        let (ticket, _) = ask(&bench, "remove", REMOVE).await;
        bench.decide(&ticket, true).await;
        assert_eq!(bench.call("look", r#"{"mode":"error"}"#).await.code, Code::ExecutionError);
        let result = bench.task.resume(&ticket).await;
        refused(&result, Code::PreconditionFailed, "precondition.failed_before");
        look(&bench).await;
        assert_eq!(bench.task.resume(&ticket).await.code, Code::Ok, "the approval was not used up");
    }
}

/// Says yes while the world changes.
#[derive(Debug)]
struct SlowYes {
    policy: Tightening,
    watch: Watch,
    panics: bool,
}

impl Approver for SlowYes {
    fn channel(&self) -> &'static str {
        "prompt"
    }

    fn decide<'a>(&'a self, _: &'a TicketRecord) -> BoxFuture<'a, Option<Decision>> {
        assert!(!self.panics, "CANARY-panic of a prompt");
        self.policy.tight.store(true, Ordering::SeqCst);
        self.watch.forward(Duration::from_secs(1));
        Box::pin(async { Some(Decision { approve: true, by: "bob".to_owned(), comment: None }) })
    }
}

#[tokio::test]
async fn what_changed_while_a_prompt_waited_is_heard() {
    for kind in KINDS {
        let policy = Tightening::default();
        let yes = SlowYes { policy: policy.clone(), watch: Watch::default(), panics: false };
        let bench = Bench::with(kind, |builder| builder.policy(policy).approver(yes)).await;
        refused(&bench.call("add", r#"{"line":"one"}"#).await, Code::PermissionDenied, "policy.rule");
        assert_eq!(bench.world.effects(), 0);
    }
}

#[tokio::test]
async fn prompt_that_panics_leaves_the_ticket_to_others() {
    for kind in KINDS {
        let yes = SlowYes { policy: Tightening::default(), watch: Watch::default(), panics: true };
        let bench = Bench::with(kind, |builder| builder.approver(yes)).await;
        let (ticket, _) = ask(&bench, "add", r#"{"line":"one"}"#).await;
        bench.decide(&ticket, true).await;
        assert_eq!(bench.task.resume(&ticket).await.code, Code::Ok);
    }
}

/// S10: each call of a batch has its own ticket and its own answer.
#[tokio::test]
async fn parallel_batch_is_decided_call_by_call() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let (yes, no) = tokio::join!(ask(&bench, "add", r#"{"line":"yes"}"#), ask(&bench, "add", r#"{"line":"no"}"#));
        bench.decide(&yes.0, true).await;
        bench.decide(&no.0, false).await;
        let (done, denied, free) =
            tokio::join!(bench.task.resume(&yes.0), bench.task.resume(&no.0), bench.call("look", r#"{"mode":"ok"}"#));
        assert_eq!((done.code, denied.code, free.code), (Code::Ok, Code::ConfirmationDenied, Code::Ok));
        assert!(!denied.retryable);
        assert_eq!(bench.world.effects(), 1);
    }
}

#[tokio::test]
async fn file_that_was_replaced_after_the_approval_is_not_written() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        std::fs::write(bench.folder.file("a.txt"), "old").unwrap();
        let (ticket, _) = ask(&bench, "replace", r#"{"path":"a.txt"}"#).await;
        bench.decide(&ticket, true).await;
        std::fs::write(bench.folder.file("b.txt"), "mine").unwrap();
        std::fs::rename(bench.folder.file("b.txt"), bench.folder.file("a.txt")).unwrap();
        let result = bench.task.resume(&ticket).await;
        refused(&result, Code::ConfirmationExpired, "path.changed");
        assert!(result.retryable, "the same call asks anew");
        assert_eq!(std::fs::read_to_string(bench.folder.file("a.txt")).unwrap(), "mine");
        assert_eq!(state(&bench, &ticket).await, TicketState::Expired, "it was for another file");
        let (again, _) = ask(&bench, "replace", r#"{"path":"a.txt"}"#).await;
        bench.decide(&again, true).await;
        assert_eq!(bench.task.resume(&again).await.code, Code::Ok);
    }
}

#[tokio::test]
async fn secrets_of_tickets_are_in_no_file() {
    let bench = Bench::new(Kind::Sqlite).await;
    look(&bench).await;
    let (ticket, _) = ask(&bench, "remove", REMOVE).await;
    let view = format!("{:?}", bench.store.inner().ticket(&ticket).await.unwrap().unwrap().view);
    assert!(!view.contains("CANARY"), "{view}");
    bench.decide(&ticket, true).await;
    assert_eq!(bench.task.resume(&ticket).await.code, Code::Ok);
    let mut bytes = Vec::new();
    for entry in std::fs::read_dir(&bench.folder.0).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            bytes.extend(std::fs::read(path).unwrap());
        }
    }
    assert!(bytes.len() > 10_000);
    assert!(!bytes.windows(6).any(|window| window == b"CANARY"), "a secret stands in the database");
}

/// A tool's limit counts what runs, not what asks.
#[tokio::test]
async fn asking_and_resuming_count_as_one() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let limits = toolgate::CallLimits { calls: Some(2), effects: Some(1) };
        let task = bench.session.task_within("demo", "T", toolgate::Narrowing::default().limits(limits));
        let asked = task.call(ToolCall::new("add", r#"{"line":"one"}"#)).await;
        let ticket = asked.ticket().unwrap().to_owned();
        bench.decide(&ticket, true).await;
        assert_eq!(task.resume(&ticket).await.code, Code::Ok);
        refused(&task.call(ToolCall::new("add", r#"{"line":"two"}"#)).await, Code::LimitExceeded, "limit.calls");
        assert_eq!(bench.world.effects(), 1);
    }
}
