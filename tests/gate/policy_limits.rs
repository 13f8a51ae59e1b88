//! Limits of a policy file through the gate: by session, task and tool, and going on when the file is replaced.

use std::time::Duration;

use toolgate::policy::file::PolicyFile;
use toolgate::{CallLimits, Code, Narrowing, ToolCall, ToolResult};

use super::support::{Bench, KINDS, Kind};

fn limited(more: &str) -> PolicyFile {
    let text = format!(
        "[task.demo]\ntools = [\"*\"]\nrisks = [\"read\", \"write\"]\npermissions = [\"*\"]\nwritable = [\".\"]\n\
         [task.other]\ntools = [\"*\"]\nrisks = [\"read\"]\npermissions = [\"*\"]\n{more}"
    );
    PolicyFile::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

async fn bench(kind: Kind, more: &str) -> Bench {
    let policy = limited(more);
    Bench::with(kind, |builder| builder.policy(policy)).await
}

async fn look(bench: &Bench) -> ToolResult {
    bench.call("look", r#"{"mode": "ok"}"#).await
}

fn refused(result: &ToolResult, rule: &str) {
    assert_eq!((result.code, result.rule()), (Code::LimitExceeded, Some(rule)), "{result:?}");
}

#[tokio::test]
async fn a_rate_says_when_to_try_again_and_lets_calls_through_then() {
    for kind in KINDS {
        let bench = bench(kind, "[limits]\nrate = \"2/min\"").await;
        assert_eq!((look(&bench).await.code, look(&bench).await.code), (Code::Ok, Code::Ok));
        let third = look(&bench).await;
        refused(&third, "limit.rate");
        assert!(third.retryable);
        let wait = third.details["retry_after_ms"].as_u64().unwrap();
        assert!((1..=60_000).contains(&wait) && third.details["retry_at"].is_string());
        bench.watch.forward(Duration::from_millis(wait));
        assert_eq!(look(&bench).await.code, Code::Ok);
        assert_eq!(bench.calls().await[1].policy.as_ref().unwrap().rule, "limit.rate");
    }
}

#[tokio::test]
async fn tools_tasks_and_sessions_are_counted_each_by_itself() {
    let limits = "[limits]\ncalls = 4\n[tool.look.limits]\ncalls = 2\n[task.other.limits]\ncalls = 1";
    let bench = bench(Kind::Memory, limits).await;
    assert_eq!((look(&bench).await.code, look(&bench).await.code), (Code::Ok, Code::Ok));
    refused(&look(&bench).await, "limit.calls");
    let huge = || ToolCall::new("huge", r#"{"words": 1}"#);
    let other = bench.session.task("other", "T-2");
    assert_eq!(other.call(huge()).await.code, Code::Ok);
    refused(&other.call(huge()).await, "limit.calls");
    let second = bench.session.task("other", "T-3");
    assert_eq!(second.call(huge()).await.code, Code::Ok, "each task has its own");
    refused(&bench.call("huge", r#"{"words": 1}"#).await, "limit.calls");
}

#[tokio::test]
async fn a_call_that_capabilities_refuse_takes_no_place_in_the_limits_of_the_file_nor_the_other_way_round() {
    let bench = bench(Kind::Memory, "[limits]\ncalls = 2").await;
    let none = CallLimits { calls: Some(0), effects: None };
    let nothing = bench.task.narrow(Narrowing::default().limits(none));
    for _ in 0..2 {
        let refused = nothing.call(ToolCall::new("look", r#"{"mode": "ok"}"#)).await;
        assert_eq!(refused.code, Code::LimitExceeded);
    }
    let three = bench.task.narrow(Narrowing::default().limits(CallLimits { calls: Some(3), effects: None }));
    let look = async || three.call(ToolCall::new("look", r#"{"mode": "ok"}"#)).await;
    assert_eq!((look().await.code, look().await.code), (Code::Ok, Code::Ok));
    refused(&look().await, "limit.calls");
    bench.gate.reload_policy(limited("[limits]\ncalls = 9")).unwrap();
    assert_eq!(look().await.code, Code::Ok, "what the file refused took no place");
    assert_eq!(look().await.code, Code::LimitExceeded);
}

#[tokio::test]
async fn counters_go_on_when_the_file_is_replaced() {
    let bench = bench(Kind::Memory, "[limits]\ncalls = 2").await;
    assert_eq!((look(&bench).await.code, look(&bench).await.code), (Code::Ok, Code::Ok));
    bench.gate.reload_policy(limited("[limits]\ncalls = 3")).unwrap();
    assert_eq!(look(&bench).await.code, Code::Ok);
    refused(&look(&bench).await, "limit.calls");
}

#[tokio::test]
async fn results_use_up_bytes_and_running_uses_up_time() {
    let bytes = bench(Kind::Memory, "[limits]\nbytes = 200").await;
    assert_eq!(bytes.call("huge", r#"{"words": 50}"#).await.code, Code::Ok);
    refused(&look(&bytes).await, "limit.bytes");

    let time = bench(Kind::Memory, "[limits]\nwall_time = \"10ms\"").await;
    assert_eq!(time.call("look", r#"{"mode": "slow"}"#).await.code, Code::Timeout);
    refused(&look(&time).await, "limit.wall_time");
}

#[tokio::test]
async fn a_spent_limit_hides_no_recorded_answer() {
    let bench = bench(Kind::Memory, "[limits]\ncalls = 1").await;
    let act = r#"{"what": "a", "mode": "ok"}"#;
    assert_eq!(bench.call("act", act).await.code, Code::Ok);
    assert_eq!(bench.call("act", act).await.code, Code::IdempotentReplay);
    refused(&bench.call("act", r#"{"what": "b", "mode": "ok"}"#).await, "limit.calls");
}

#[tokio::test]
async fn a_limit_that_is_observed_is_only_recorded() {
    let bench = bench(Kind::Memory, "[limits]\ncalls = 0\n[controls]\nlimits = \"observe\"").await;
    assert_eq!(look(&bench).await.code, Code::Ok);
    assert_eq!(bench.calls().await[0].would_refuse[0].rule, "limit.calls");
}
