//! The twelve faults that every agent meets: each has its code, its effect and its record.

use std::time::Duration;

use toolgate::store::StoreFault;
use toolgate::{Capabilities, Code, Effect, Narrowing, Risk, SessionOptions, ToolCall, ToolResult};
use toolgate_testing::When;

use super::support::{Bench, KINDS, until};

async fn refused(bench: &Bench, result: &ToolResult, code: Code, rule: &str) {
    assert_eq!((result.code, result.rule()), (code, Some(rule)), "{result:?}");
    assert_eq!((result.ok, result.effect), (false, Effect::None), "{result:?}");
    let record = bench.story(&result.call_id).await.record;
    assert_eq!((record.state.as_str(), record.code.as_str()), ("DENIED", code.as_str()));
}

#[tokio::test]
async fn unknown_tool_is_not_found_and_the_nearest_is_named() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let result = bench.call("putt", "{}").await;
        refused(&bench, &result, Code::ToolNotFound, "tool.unknown").await;
        assert_eq!(result.details["nearest"], "put");
    }
}

#[tokio::test]
async fn missing_and_extra_fields_are_told_together() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let result = bench.call("act", r#"{"what":"x"}"#).await;
        refused(&bench, &result, Code::InvalidArgument, "schema.required").await;
        let result = bench.call("act", r#"{"what":"x","mode":"ok","extra":1}"#).await;
        refused(&bench, &result, Code::InvalidArgument, "schema.additional").await;
        let result = bench.call("act", r#"{"wat":"x","extra":1}"#).await;
        let problems = result.details["problems"].as_array().unwrap();
        assert_eq!(problems.len(), 4, "{problems:?}");
        assert_eq!(bench.world.effects(), 0);
    }
}

#[tokio::test]
async fn paths_out_of_the_workspace_are_refused() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        std::fs::write(bench.folder.0.join("outside.txt"), "outside").unwrap();
        std::os::unix::fs::symlink("../outside.txt", bench.folder.file("link.txt")).unwrap();
        let result = bench.call("peek", r#"{"path":"../outside.txt"}"#).await;
        assert_eq!((result.code, result.code.family()), (Code::PathOutsideWorkspace, Code::PermissionDenied));
        let result = bench.call("peek", r#"{"path":"link.txt"}"#).await;
        refused(&bench, &result, Code::PathOutsideWorkspace, "path.escape").await;
        let result = bench.call("put", r#"{"path":"link.txt","text":"x"}"#).await;
        assert_eq!(result.code, Code::PathOutsideWorkspace, "{result:?}");
        assert_eq!(std::fs::read_to_string(bench.folder.0.join("outside.txt")).unwrap(), "outside");
        let result = bench.call("peek", r#"{"path":"missing.txt"}"#).await;
        refused(&bench, &result, Code::InvalidArgument, "path.not_found").await;
    }
}

#[tokio::test]
async fn write_tool_in_a_read_only_session_is_refused() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let named = Capabilities::none().allow_tools(["put", "peek"]).allow_risks([Risk::Read]).permissions(["*"]);
        let session = bench.gate.session(SessionOptions::new("agent").capabilities(named)).unwrap();
        let task = session.task("review", "T");
        let result = task.call(ToolCall::new("put", r#"{"path":"a","text":"x"}"#)).await;
        refused(&bench, &result, Code::PermissionDenied, "policy.risk").await;
        let task = bench.session.task_within("review", "T", Narrowing::default().allow_tools(["peek"]));
        let result = task.call(ToolCall::new("put", r#"{"path":"a","text":"x"}"#)).await;
        refused(&bench, &result, Code::ToolNotFound, "tool.unknown").await;
        assert_eq!(bench.world.effects(), 0);
    }
}

#[tokio::test]
async fn same_key_twice_is_one_effect_and_the_first_answer() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let first = bench.call("act", r#"{"what":"pay","mode":"ok"}"#).await;
        assert_eq!((first.code, first.effect), (Code::Ok, Effect::Done), "{first:?}");
        let again = bench.call("act", r#"{ "mode" : "ok", "what":"pay" }"#).await;
        assert_eq!((again.code, again.effect), (Code::IdempotentReplay, Effect::Done));
        assert_eq!((&again.data, again.details["replay_of"].as_str()), (&first.data, Some(first.call_id.as_str())));
        bench.task.begin_turn();
        let next_turn = bench.call("act", r#"{"what":"pay","mode":"ok"}"#).await;
        assert_eq!(next_turn.code, Code::Ok);
        let other_session = Bench::session_of(&bench.gate, &bench.folder, "S2").task("demo", "T");
        let other = other_session.call(ToolCall::new("act", r#"{"what":"pay","mode":"ok"}"#)).await;
        assert_eq!(other.code, Code::Ok, "tasks of two sessions may have one name");
        assert_eq!(bench.world.effects(), 3);
        let record = bench.story(&again.call_id).await.record;
        assert_eq!((record.state.as_str(), record.replay_of), ("SUCCEEDED", Some(first.call_id)));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn same_key_from_fifty_callers_is_one_effect() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let calls: Vec<_> = (0..50)
            .map(|_| {
                let task = bench.task.clone();
                tokio::spawn(async move { task.call(ToolCall::new("act", r#"{"what":"pay","mode":"ok"}"#)).await })
            })
            .collect();
        let mut ran = 0;
        for call in calls {
            let result = call.await.unwrap();
            match result.code {
                Code::Ok => ran += 1,
                Code::IdempotentReplay | Code::DuplicateCall => {}
                _ => panic!("{result:?}"),
            }
        }
        assert_eq!((ran, bench.world.effects()), (1, 1));
        assert_eq!(bench.calls().await.len(), 50, "each call has its record");
        bench.must_be_sound().await;
    }
}

#[tokio::test]
async fn tool_error_and_tool_panic_become_stable_codes() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        for (mode, rule, effect) in
            [("error", "execute.failed", Effect::Unknown), ("panic", "execute.panic", Effect::Unknown)]
        {
            let task = bench.session.task("demo", mode);
            let arguments = format!(r#"{{"what":"{mode}","mode":"{mode}"}}"#);
            let result = task.call(ToolCall::new("act", arguments.clone())).await;
            assert_eq!((result.code, result.rule(), result.effect), (Code::ExecutionError, Some(rule), effect));
            assert!(!result.to_json().to_string().contains("CANARY"));
            let record = bench.story(&result.call_id).await.record;
            assert_eq!(record.state, "FAILED");
            assert!(record.operator.unwrap().contains("CANARY"), "the operator reads what happened");
            let again = task.call(ToolCall::new("act", arguments)).await;
            assert_eq!((again.code, again.effect), (Code::OutcomeUnknown, Effect::Unknown));
            let stopped = task.call(ToolCall::new("act", r#"{"what":"y","mode":"ok"}"#)).await;
            assert_eq!(stopped.code, Code::TaskAborted, "`abort` closes the tool in this task");
            let told = &stopped.message;
            assert!(told.contains("this tool failed before") && told.contains("other tools can be called"), "{told}");
        }
        assert_eq!(bench.world.effects(), 2);
        let task = bench.session.task("demo", "definite");
        let call = || ToolCall::new("act", r#"{"what":"card","mode":"definite"}"#);
        let first = task.call(call()).await;
        let again = task.call(call()).await;
        assert_eq!((again.code, again.rule()), (first.code, Some("idem.replayed_error")), "a final no is an answer");
        assert_eq!(bench.world.effects(), 3);
    }
}

#[tokio::test]
async fn slower_than_the_timeout_is_unknown_until_its_late_result_is_recorded() {
    for kind in KINDS {
        for tool in ["act", "act_blocking"] {
            let bench = Bench::new(kind).await;
            let mode = if tool == "act" { r#","mode":"slow""# } else { "" };
            let arguments = format!(r#"{{"what":"pay"{mode}}}"#);
            let first = bench.call(tool, &arguments).await;
            assert_eq!((first.code, first.effect), (Code::Timeout, Effect::Unknown), "{first:?}");
            let meanwhile = bench.call(tool, &arguments).await;
            assert_eq!((meanwhile.code, meanwhile.effect), (Code::DuplicateCall, Effect::None));
            let waited = bench.task.wait_for(&first.call_id, Duration::from_secs(5)).await.unwrap();
            assert_eq!((waited.code, waited.effect), (Code::IdempotentReplay, Effect::Done), "{waited:?}");
            let again = bench.call(tool, &arguments).await;
            assert_eq!((again.code, again.data), (Code::IdempotentReplay, Some("did pay".into())));
            assert_eq!(bench.world.effects(), 1);
            let story = bench.story(&first.call_id).await;
            let kinds: Vec<&str> = story.events.iter().map(|event| event.kind.as_str()).collect();
            assert_eq!(kinds, ["started", "finished", "late_result"]);
            assert_eq!((story.record.state.as_str(), story.record.effect.as_str()), ("TIMED_OUT", "done"));
            bench.must_be_sound().await;
        }
    }
}

#[tokio::test]
async fn late_failure_is_the_answer_of_its_operation() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let arguments = r#"{"what":"pay","mode":"slow_error"}"#;
        let first = bench.call("act", arguments).await;
        assert_eq!(first.code, Code::Timeout);
        let waited = bench.task.wait_for(&first.call_id, Duration::from_secs(5)).await.unwrap();
        assert_eq!(waited.code, Code::ExecutionError, "{waited:?}");
        let again = bench.call("act", arguments).await;
        assert_eq!((again.code, again.message.as_str()), (Code::ExecutionError, "declined late"));
        assert_eq!(bench.world.effects(), 1);
    }
}

#[tokio::test]
async fn read_slower_than_the_timeout_changed_nothing() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let result = bench.call("look", r#"{"mode":"slow"}"#).await;
        assert_eq!((result.code, result.effect, result.retryable), (Code::Timeout, Effect::None, true));
    }
}

#[tokio::test]
async fn huge_result_is_cut_and_its_pages_give_the_whole() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let result = bench.call("huge", r#"{"words":3000}"#).await;
        assert_eq!((result.code, result.truncated), (Code::Ok, true));
        assert!(result.data.as_ref().unwrap().is_array(), "its shape is kept");
        assert!(result.data.as_ref().unwrap().to_string().chars().count() <= 500);
        let handle = result.details["handle"].as_str().unwrap();
        let (mut whole, mut offset) = (String::new(), 0);
        loop {
            let arguments = format!(r#"{{"handle":"{handle}","offset":{offset},"limit":6999}}"#);
            let page = bench.call("read_result", &arguments).await;
            assert_eq!(page.code, Code::Ok, "{page:?}");
            let data = page.data.unwrap();
            whole.push_str(data["text"].as_str().unwrap());
            match data["next_offset"].as_u64() {
                Some(next) => offset = next,
                None => break,
            }
        }
        let words: Vec<String> = toolgate::serde_json::from_str(&whole).unwrap();
        assert_eq!((words.len(), words[2999].as_str()), (3000, "wörd-2999"));
        let stranger = Bench::session_of(&bench.gate, &bench.folder, "S2").task("demo", "T");
        let refused = stranger.call(ToolCall::new("read_result", format!(r#"{{"handle":"{handle}"}}"#))).await;
        assert_eq!((refused.code, refused.data), (Code::ExecutionError, None), "another session can't read it");
    }
}

#[tokio::test]
async fn effect_done_but_response_lost_is_recovered_from_the_ledger() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let arguments = r#"{"what":"pay","mode":"ok"}"#;
        // The caller stops waiting while transaction B is being written.
        let stall = bench.store.stall();
        let task = bench.task.clone();
        let caller = tokio::spawn(async move { task.call(ToolCall::new("act", arguments)).await });
        tokio::time::sleep(Duration::from_millis(20)).await;
        caller.abort();
        drop(stall);
        until("the effect is recorded", async || {
            bench.calls().await.first().is_some_and(|call| call.state == "SUCCEEDED")
        })
        .await;
        let again = bench.call("act", arguments).await;
        assert_eq!((again.code, again.data), (Code::IdempotentReplay, Some("did pay".into())));
        assert_eq!(bench.world.effects(), 1);
        let calls = bench.calls().await;
        let told: Vec<_> = calls.iter().map(|call| (call.code.as_str(), call.replay_of.is_some())).collect();
        assert_eq!(told, [("IDEMPOTENT_REPLAY", true), ("OK", false)], "the audit tells the two apart");
    }
}

#[tokio::test]
async fn store_that_cannot_write_refuses_before_the_effect() {
    for kind in KINDS {
        for fault in [StoreFault::Busy, StoreFault::Full, StoreFault::ReadOnly, StoreFault::Gone] {
            let bench = Bench::new(kind).await;
            bench.store.fail_writes_from(bench.store.writes() + 1, fault, When::Before);
            let result = bench.call("act", r#"{"what":"pay","mode":"ok"}"#).await;
            assert_eq!((result.code, result.effect), (Code::AuditUnavailable, Effect::None), "{result:?}");
            let read = bench.call("look", r#"{"mode":"ok"}"#).await;
            assert_eq!((read.code, read.data), (Code::AuditUnavailable, None), "what isn't recorded isn't told");
            assert_eq!(bench.world.effects(), 0);
            assert!(!bench.gate.is_sealed());
            bench.store.heal();
            let again = bench.call("act", r#"{"what":"pay","mode":"ok"}"#).await;
            assert_eq!((again.code, bench.world.effects()), (Code::Ok, 1), "{again:?}");
        }
    }
}
