//! No refusal and no failure says a value back: every way to be refused is walked with marked values
//! in every argument, error, panic, store error and path, and the marks are looked for.

use std::time::Duration;

use toolgate::policy::{Decision, Policy, PolicyRequest, Verdict};
use toolgate::store::StoreFault;
use toolgate::{Code, ToolCall, ToolResult, serde_json};
use toolgate_testing::When;

use super::support::{Bench, KINDS, Kind};

/// Denies or panics, with marks in what it says.
#[derive(Debug)]
struct Loud {
    panics: bool,
}

impl Policy for Loud {
    fn version(&self) -> String {
        "loud".to_owned()
    }

    fn decide(&self, request: &PolicyRequest<'_>) -> Decision {
        assert!(!self.panics, "CANARY-panic about {:?}", request.arguments);
        Decision::new(Verdict::Deny, "CANARY-rule", format!("CANARY-reason {:?}", request.arguments))
    }
}

/// The answer without the data of a success, as the model reads it.
fn told(result: &ToolResult) -> String {
    let mut json = result.to_json();
    if result.ok {
        json.as_object_mut().unwrap().remove("data");
    }
    json.to_string()
}

#[track_caller]
fn must_be_quiet(bench: &Bench, result: &ToolResult) {
    let text = told(result);
    let root = bench.folder.0.to_str().unwrap();
    for mark in ["CANARY", root, "/etc/", "panicked", "a fault of the test", ".rs:"] {
        assert!(!text.contains(mark), "`{mark}` is said to the model: {text}");
    }
}

/// Calls and the code each must get; `None` where several are right.
fn hostile() -> Vec<(&'static str, String, Option<Code>)> {
    let mark = "CANARY-value /etc/CANARY";
    let mut calls = vec![
        ("act", r#"{"what":"CANARY","what":"CANARY"}"#.to_owned(), Some(Code::MalformedCall)),
        ("act", r#"{"what":"CANARY"#.to_owned(), Some(Code::MalformedCall)),
        ("act", r#"["CANARY"]"#.to_owned(), Some(Code::MalformedCall)),
        ("act", r#""CANARY""#.to_owned(), Some(Code::MalformedCall)),
        ("act", r#"{"what":"CANARY\u0000"}"#.to_owned(), Some(Code::MalformedCall)),
        ("act", r#"{"$serde_json::private::Number":"CANARY"}"#.to_owned(), Some(Code::MalformedCall)),
        ("act", r#"{"what":CANARY}"#.to_owned(), Some(Code::MalformedCall)),
        ("act", format!(r#"{{"what":["{mark}"],"mode":{{"{mark}":1}}}}"#), Some(Code::InvalidArgument)),
        ("act", format!(r#"{{"{mark}":"{mark}"}}"#), Some(Code::InvalidArgument)),
        ("huge", format!(r#"{{"words":"{mark}"}}"#), Some(Code::InvalidArgument)),
        ("CANARY-tool", format!(r#"{{"what":"{mark}"}}"#), Some(Code::ToolNotFound)),
        ("peek", r#"{"path":"../CANARY"}"#.to_owned(), Some(Code::PathOutsideWorkspace)),
        ("peek", r#"{"path":"/etc/CANARY"}"#.to_owned(), Some(Code::PathOutsideWorkspace)),
        ("peek", r#"{"path":"CANARY.txt"}"#.to_owned(), Some(Code::InvalidArgument)),
        ("peek", r#"{"path":"CANARY-link"}"#.to_owned(), Some(Code::PathOutsideWorkspace)),
        ("put", r#"{"path":".git/CANARY","text":"CANARY"}"#.to_owned(), None),
        ("put", r#"{"path":"CANARY-dir/a","text":"CANARY"}"#.to_owned(), None),
        ("remove", r#"{"name":"CANARY","token":"CANARY","why":"CANARY"}"#.to_owned(), Some(Code::PreconditionFailed)),
        ("add", r#"{"line":"CANARY"}"#.to_owned(), Some(Code::ConfirmationRequired)),
        ("read_result", r#"{"handle":"CANARY"}"#.to_owned(), Some(Code::ExecutionError)),
        ("look", r#"{"mode":"error"}"#.to_owned(), Some(Code::ExecutionError)),
        ("add", format!(r#"{{"line":"{}"}}"#, "CANARY".repeat(4_000)), Some(Code::InvalidArgument)),
    ];
    for mode in ["error", "panic", "slow"] {
        calls.push(("act", format!(r#"{{"what":"CANARY","mode":"{mode}"}}"#), None));
    }
    calls
}

#[tokio::test]
async fn no_refusal_says_a_value_back() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        std::os::unix::fs::symlink("/etc/passwd", bench.folder.file("CANARY-link")).unwrap();
        for (n, (tool, arguments, code)) in hostile().into_iter().enumerate() {
            let task = bench.session.task("demo", format!("T{n}"));
            for repeat in 0..2 {
                let result = task.call(ToolCall::new(tool, arguments.clone())).await;
                must_be_quiet(&bench, &result);
                if repeat == 0
                    && let Some(code) = code
                {
                    assert_eq!(result.code, code, "{tool} {arguments}: {result:?}");
                }
            }
            bench.gate.resume_stopped("S", None, "bob").await.unwrap();
        }
    }
}

#[tokio::test]
async fn no_ticket_replay_or_conflict_says_a_value_back() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let asked = bench.call("add", r#"{"line":"CANARY"}"#).await;
        let ticket = asked.ticket().unwrap().to_owned();
        must_be_quiet(&bench, &bench.task.resume("CANARY").await);
        must_be_quiet(&bench, &bench.task.resume(&ticket).await);
        bench.decide(&ticket, false).await;
        must_be_quiet(&bench, &bench.task.resume(&ticket).await);
        let second = bench.call("add", r#"{"line":"CANARY 2"}"#).await;
        bench.watch.forward(Duration::from_mins(6));
        must_be_quiet(&bench, &bench.task.resume(second.ticket().unwrap()).await);
        let call = |what: &str| {
            let arguments = format!(r#"{{"what":"{what}","mode":"ok"}}"#);
            ToolCall::new("act", arguments).with_provider_id("CANARY-id").with_reasoning("CANARY-why")
        };
        must_be_quiet(&bench, &bench.task.call(call("CANARY-1")).await);
        must_be_quiet(&bench, &bench.task.call(call("CANARY-1")).await);
        let conflict = bench.task.call(call("CANARY-2")).await;
        assert_eq!(conflict.code, Code::IdempotencyConflict);
        must_be_quiet(&bench, &conflict);
    }
}

#[tokio::test]
async fn no_policy_says_a_value_back_even_by_its_panic() {
    for kind in KINDS {
        for panics in [false, true] {
            let bench = Bench::with(kind, |builder| builder.policy(Loud { panics })).await;
            let result = bench.call("act", r#"{"what":"CANARY","mode":"ok"}"#).await;
            assert_eq!((result.code, bench.world.effects()), (Code::PermissionDenied, 0), "{result:?}");
            must_be_quiet(&bench, &result);
            let record = bench.story(&result.call_id).await.record;
            assert_eq!(record.state, "DENIED");
            assert!(record.operator.unwrap_or_default().contains("CANARY") || panics, "the operator reads why");
            if panics {
                assert!(record.policy.unwrap().reason.contains("CANARY"), "and what broke");
            }
        }
    }
}

#[tokio::test]
async fn no_fault_of_the_store_is_told_to_the_model() {
    for kind in KINDS {
        for n in 1..=3 {
            for when in [When::Before, When::After] {
                let bench = Bench::new(kind).await;
                bench.store.fail_writes_from(bench.store.writes() + n, StoreFault::Gone, when);
                let result = bench.call("act", r#"{"what":"CANARY","mode":"error"}"#).await;
                must_be_quiet(&bench, &result);
                bench.store.fail_reads_from(1, StoreFault::Gone);
                must_be_quiet(&bench, &bench.call("act", r#"{"what":"CANARY","mode":"ok"}"#).await);
                must_be_quiet(&bench, &bench.call("add", r#"{"line":"CANARY"}"#).await);
                must_be_quiet(&bench, &bench.call("look", r#"{"mode":"ok"}"#).await);
            }
        }
    }
}

/// Values of every form at every place of every tool.
#[tokio::test]
async fn no_value_of_any_form_is_said_back() {
    let values = [
        r#""CANARY""#,
        r#"["CANARY"]"#,
        r#"{"a":"CANARY"}"#,
        r#"{"CANARY/x y":1}"#,
        "135792468.25",
        "-777777777",
        r#"[[["CANARY"]]]"#,
    ];
    let bench = Bench::new(Kind::Memory).await;
    let task = bench.session.task("demo", "forms");
    for tool in bench.gate.tools().iter() {
        let names: Vec<String> = tool.contract.names().map(str::to_owned).collect();
        for value in values {
            let arguments = names.iter().map(|name| format!("{}:{value}", serde_json::Value::from(name.as_str())));
            let arguments = format!("{{{}}}", arguments.collect::<Vec<_>>().join(","));
            let result = task.call(ToolCall::new(tool.spec.name, arguments)).await;
            if result.ok {
                continue;
            }
            must_be_quiet(&bench, &result);
            let text = told(&result);
            assert!(!text.contains("135792468") && !text.contains("777777777"), "{text}");
        }
    }
}
