//! Stage 3: may this task do this.

use toolgate_core::call::{Code, Stage, ToolCall};
use toolgate_core::policy::{AskForRisks, Decision, Policy, PolicyRequest, Verdict};
use toolgate_core::session::{CallLimits, Capabilities, Narrowing, SessionOptions};
use toolgate_core::spec::{DynamicTool, RegisteredTool, Repeat, Risk};

use crate::support::{Bench, Runs, echo, must_be, texts};

fn tools(runs: &Runs) -> Vec<RegisteredTool> {
    vec![
        echo(DynamicTool::new("say", "Says.", texts(["text"])).writes(Repeat::Once).permissions(["write:chat"]), runs),
        echo(DynamicTool::new("look", "Looks.", texts(["text"])).reads(), runs),
    ]
}

#[derive(Debug)]
struct NoShouting;

impl Policy for NoShouting {
    fn version(&self) -> String {
        "no_shouting/1".to_owned()
    }

    fn decide(&self, request: &PolicyRequest<'_>) -> Decision {
        let text = request.arguments.get("text").map(|node| node.to_value().to_string()).unwrap_or_default();
        if text.to_uppercase() == text {
            return Decision::new(Verdict::Deny, "shouting", "nobody shouts here");
        }
        Decision::new(Verdict::Allow, "calm", "it is calm")
    }
}

#[tokio::test]
async fn nothing_is_allowed_that_was_not_given() {
    let bench = Bench::new(tools(&Runs::default())).await;
    let session = bench.gate.session(SessionOptions::new("agent")).unwrap();
    assert_eq!(session.task("t", "T").call(ToolCall::new("look", "{}")).await.code, Code::ToolNotFound);
    let named = Capabilities::none().allow_tools(["say", "look"]);
    let session = bench.gate.session(SessionOptions::new("agent").capabilities(named.clone())).unwrap();
    let call = || ToolCall::new("say", r#"{"text":"a"}"#);
    must_be(&session.task("t", "T").call(call()).await, Code::PermissionDenied, Stage::Policy, "policy.risk");
    let named = named.allow_risks([Risk::Write]).permissions(["write:mail", "read:*"]);
    let session = bench.gate.session(SessionOptions::new("agent").capabilities(named.clone())).unwrap();
    must_be(&session.task("t", "T").call(call()).await, Code::PermissionDenied, Stage::Policy, "policy.permission");
    let session =
        bench.gate.session(SessionOptions::new("agent").capabilities(named.permissions(["write:*"]))).unwrap();
    assert_eq!(session.task("t", "T").call(call()).await.code, Code::Ok);
}

#[tokio::test]
async fn decision_is_kept_for_allowed_calls_too() {
    let bench = Bench::with(tools(&Runs::default()), |builder| builder.policy(NoShouting)).await;
    let allowed = bench.call("say", r#"{"text":"calm"}"#).await;
    let denied = bench.call("say", r#"{"text":"LOUD"}"#).await;
    must_be(&denied, Code::PermissionDenied, Stage::Policy, "policy.rule");
    let decisions = [bench.record(&allowed).await.policy.unwrap(), bench.record(&denied).await.policy.unwrap()];
    let told = decisions.each_ref().map(|one| (one.decision.as_str(), one.policy.as_str(), one.rule.as_str()));
    assert_eq!(told, [("allow", "no_shouting/1", "calm"), ("deny", "no_shouting/1", "shouting")]);
}

#[tokio::test]
async fn policy_can_ask_for_a_person_where_the_tool_does_not() {
    let asks = AskForRisks { risks: vec![Risk::Write] };
    let bench = Bench::with(tools(&Runs::default()), |builder| builder.policy(asks)).await;
    let asked = bench.call("say", r#"{"text":"a"}"#).await;
    must_be(&asked, Code::ConfirmationRequired, Stage::Confirmation, "confirm.pending");
    let ticket = bench.store.ticket(asked.ticket().unwrap()).await.unwrap().unwrap();
    assert!(ticket.view.policy_reason.is_some());
    assert_eq!(bench.call("look", r#"{"text":"a"}"#).await.code, Code::Ok);
}

#[tokio::test]
async fn narrowing_only_takes_away() {
    let bench = Bench::new(tools(&Runs::default())).await;
    let less = bench.task.narrow(Narrowing::default().allow_tools(["look"]));
    let wider = less.narrow(Narrowing::default().allow_tools(["look", "say"]).permissions(["*"]));
    assert_eq!(wider.call(ToolCall::new("say", r#"{"text":"a"}"#)).await.code, Code::ToolNotFound);
}

#[tokio::test]
async fn task_at_its_own_limit_leaves_its_session_the_rest() {
    let runs = Runs::default();
    let bench = Bench::new(tools(&runs)).await;
    let limited = bench.session.task_within(
        "t",
        "A",
        Narrowing::default().limits(CallLimits { calls: Some(20), effects: Some(1) }),
    );
    let helper = limited.narrow(Narrowing::default().limits(CallLimits { calls: Some(2), effects: None }));
    let look = || ToolCall::new("look", r#"{"text":"a"}"#);
    let mut codes = Vec::new();
    for _ in 0..10 {
        codes.push(helper.call(look()).await.code);
    }
    assert_eq!(codes.iter().filter(|code| **code == Code::Ok).count(), 2);
    for _ in 0..18 {
        assert_eq!(limited.call(look()).await.code, Code::Ok, "refused calls of the helper don't count");
    }
    assert_eq!(limited.call(look()).await.code, Code::LimitExceeded);
}

#[tokio::test]
async fn effects_are_counted_apart_and_a_spent_limit_hides_no_replay() {
    let runs = Runs::default();
    let bench = Bench::new(tools(&runs)).await;
    let limits = CallLimits { calls: None, effects: Some(1) };
    let task = bench.session.task_within("t", "A", Narrowing::default().limits(limits));
    let say = |text: &str| ToolCall::new("say", format!(r#"{{"text":"{text}"}}"#));
    assert_eq!(task.call(say("a")).await.code, Code::Ok);
    must_be(&task.call(say("b")).await, Code::LimitExceeded, Stage::Policy, "limit.calls");
    assert_eq!(task.call(say("a")).await.code, Code::IdempotentReplay);
    assert_eq!(task.call(ToolCall::new("look", r#"{"text":"a"}"#)).await.code, Code::Ok);
    assert_eq!(runs.count(), 2);
}
