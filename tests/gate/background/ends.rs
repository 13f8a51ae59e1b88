//! How background calls end: by themselves, cancelled at any moment, too late, with their failure policy.

use toolgate::gate::{BackgroundState, CancelAnswer};
use toolgate::{Code, Effect, ToolCall};

use super::super::support::{KINDS, until};
use super::{OK, RUNNING, Scene, ended, entered, status};

#[tokio::test]
async fn failure_is_recorded_and_its_policy_holds_from_then_on() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        let call = scene.start("job", r#"{"what":"pay","mode":"panic"}"#).await;
        let other = scene.start("job", r#"{"what":"other","mode":"ok"}"#).await;
        scene.door.open();
        // One of the two comes first; the panic closes the tool in this task.
        scene.door.open();
        let lost = ended(&call).await;
        assert_eq!(
            (lost.state, lost.effect, lost.code),
            (BackgroundState::Failed, Effect::Unknown, Some(Code::ExecutionError))
        );
        assert!(
            lost.message.contains("this tool is closed") || lost.message.contains("This tool is closed"),
            "{}",
            lost.message
        );
        assert!(!lost.message.contains("CANARY"), "{}", lost.message);
        assert_eq!(ended(&other).await.state, BackgroundState::Succeeded, "what runs already runs on");
        let stopped = scene.call("job", r#"{"what":"third","mode":"ok"}"#).await;
        assert_eq!(stopped.code, Code::TaskAborted, "{stopped:?}");
    }
}

#[tokio::test]
async fn dangerous_call_that_is_lost_stops_the_session_and_can_still_be_read_and_cancelled() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        let waits = scene.call("migrate", r#"{"place":"nowhere"}"#).await;
        let ticket = waits.ticket().unwrap().to_owned();
        scene.bench.decide(&ticket, true).await;
        assert_eq!(scene.task.resume(&ticket).await.code, Code::Ok);
        let call = scene.task.background_call(&waits.call_id).await.unwrap().unwrap();
        scene.door.open();
        assert_eq!(ended(&call).await.effect, Effect::Unknown);
        assert_eq!(scene.call("long_way", r#"{"what":"x"}"#).await.code, Code::TaskAborted);
        let arguments = toolgate::serde_json::json!({"handle": waits.call_id}).to_string();
        for tool in ["read_call", "cancel_call"] {
            let read = scene.call(tool, &arguments).await;
            assert_eq!(read.code, Code::Ok, "{read:?}");
            assert_eq!(read.data.unwrap()["state"], "failed");
        }
    }
}

#[tokio::test]
async fn cancelled_tool_that_heeds_it_ends_without_effect_and_may_be_called_again() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        for (tool, arguments) in
            [("job", r#"{"what":"pay","mode":"heeds"}"#), ("grind", r#"{"what":"x","heeds":true}"#)]
        {
            let call = scene.start(tool, arguments).await;
            assert_eq!(call.cancel("ann").await.unwrap(), CancelAnswer::Asked);
            let over = ended(&call).await;
            assert_eq!((over.state, over.effect), (BackgroundState::Cancelled, Effect::None), "{over:?}");
            assert_eq!(over.message, "it was cancelled; nothing was changed");
            assert_eq!(call.cancel("ann").await.unwrap(), CancelAnswer::Over);
            let events = scene.bench.story(call.handle()).await.events;
            let asked = events.iter().find(|event| event.kind == "cancel_asked").unwrap();
            assert_eq!((&asked.body["by"], &asked.body["channel"]), (&"ann".into(), &"host".into()));
            let again = scene.call(tool, arguments).await;
            assert_eq!(again.code, Code::Ok, "no stop, and the key is free: {again:?}");
            let again = scene.task.background_call(&again.call_id).await.unwrap().unwrap();
            assert_eq!(again.cancel("ann").await.unwrap(), CancelAnswer::Asked);
            assert_eq!(ended(&again).await.state, BackgroundState::Cancelled);
        }
        scene.bench.must_be_sound().await;
    }
}

#[tokio::test]
async fn cancelled_tool_that_did_a_part_says_so_and_its_policy_applies() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        let call = scene.start("job", r#"{"what":"pay","mode":"heeds_partly"}"#).await;
        entered(&call).await;
        assert_eq!(call.cancel("ann").await.unwrap(), CancelAnswer::Asked);
        let over = ended(&call).await;
        assert_eq!(
            (over.state, over.effect, over.code),
            (BackgroundState::Cancelled, Effect::Partial, Some(Code::Cancelled))
        );
        assert!(over.message.contains("2 of 4 pieces are done"), "{}", over.message);
        assert_eq!(scene.call("job", OK).await.code, Code::TaskAborted);
    }
}

#[tokio::test]
async fn cancelled_tool_that_goes_on_is_in_doubt_until_its_late_result() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        for (tool, arguments) in [("job", OK), ("grind", r#"{"what":"x","heeds":false}"#)] {
            let call = scene.start(tool, arguments).await;
            entered(&call).await;
            assert_eq!(call.cancel("ann").await.unwrap(), CancelAnswer::Asked);
            until("it is given up", async || status(&call).await.state == BackgroundState::Cancelled).await;
            let given_up = status(&call).await;
            assert_eq!((given_up.effect, given_up.is_running), (Effect::Unknown, true), "{given_up:?}");
            assert_eq!(scene.bench.story(call.handle()).await.record.state, "TIMED_OUT");
            let again = scene.call(tool, arguments).await;
            assert_eq!(again.code, Code::DuplicateCall, "its key runs: {again:?}");
            scene.door.open();
            let late = ended(&call).await;
            assert_eq!((late.state, late.effect, late.is_running), (BackgroundState::Succeeded, Effect::Done, false));
            assert_eq!(scene.call(tool, arguments).await.code, Code::IdempotentReplay);
        }
        scene.bench.must_be_sound().await;
    }
}

#[tokio::test]
async fn cancel_between_two_runs_ends_the_waiting_for_the_next() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        let call = scene.start("knock", "{}").await;
        until("it knocked", async || scene.bench.world.effects() == 1).await;
        assert_eq!(call.cancel("ann").await.unwrap(), CancelAnswer::Asked);
        let over = ended(&call).await;
        assert_eq!(
            (over.state, over.effect, scene.bench.world.effects()),
            (BackgroundState::Cancelled, Effect::None, 1)
        );
    }
}

#[tokio::test]
async fn cancel_before_the_tool_is_entered_keeps_it_out() {
    // On this one thread, and with a store that waits for nothing, the tool can't take its first step before this
    // test waits.
    let scene = Scene::new(crate::support::Kind::Memory).await;
    let given = scene.call("job", OK).await;
    let live = scene.task.background_call(&given.call_id).await.unwrap().unwrap();
    assert!(live.progress().is_none(), "it was entered");
    assert_eq!(live.cancel("ann").await.unwrap(), CancelAnswer::Asked);
    let over = ended(&live).await;
    assert_eq!(over.state, BackgroundState::Cancelled, "{over:?}");
}

#[tokio::test]
async fn timeout_bounds_the_run_and_the_late_result_is_found_by_the_handle() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        let call = scene.start("overlong", "{}").await;
        until("its time is over", async || status(&call).await.state == BackgroundState::TimedOut).await;
        let over = status(&call).await;
        assert_eq!((over.effect, over.is_running, over.code), (Effect::Unknown, true, Some(Code::Timeout)));
        scene.door.open();
        let late = ended(&call).await;
        assert_eq!((late.state, late.effect), (BackgroundState::Succeeded, Effect::Done), "{late:?}");
        assert_eq!(call.result(super::SOON).await.unwrap().data, Some("late".into()));
    }
}

#[tokio::test]
async fn fallback_answers_by_the_handle_of_the_call_it_stands_in_for() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        let call = scene.start("short_way", r#"{"what":"rome"}"#).await;
        scene.door.open();
        let over = ended(&call).await;
        assert_eq!((over.state, over.tool.as_str()), (BackgroundState::Succeeded, "long_way"), "{over:?}");
        assert_eq!(call.result(super::SOON).await.unwrap().data, Some("there: rome".into()));
        let again = scene.call("short_way", r#"{"what":"rome"}"#).await;
        assert_eq!((again.code, scene.bench.world.effects()), (Code::IdempotentReplay, 1), "{again:?}");
    }
}

#[tokio::test]
async fn precondition_sees_a_background_call_only_once_it_has_ended() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        let call = scene.start("job", OK).await;
        let early = scene.call("after_job", r#"{"what":"pay"}"#).await;
        assert_eq!(early.code, Code::PreconditionFailed, "{early:?}");
        scene.door.open();
        assert_ne!(ended(&call).await.state, RUNNING);
        assert_eq!(scene.call("after_job", r#"{"what":"pay"}"#).await.code, Code::Ok);
    }
}

#[tokio::test]
async fn tool_of_the_background_calls_others_as_part_of_its_run() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        let call = scene.start("conduct", "{}").await;
        scene.door.open();
        assert_eq!(ended(&call).await.state, BackgroundState::Succeeded);
        assert_eq!(call.result(super::SOON).await.unwrap().data, Some("OK \"there: part\"".into()));
        let inner = scene.bench.calls().await.into_iter().find(|call| call.tool == "long_way").unwrap();
        assert_eq!(inner.parent.as_deref(), Some(call.handle()));
    }
}

#[tokio::test]
async fn failed_call_is_told_again_to_a_repeat() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        let arguments = r#"{"what":"pay","mode":"definite"}"#;
        let call = scene.start("job", arguments).await;
        scene.door.open();
        let failed = ended(&call).await;
        assert_eq!((failed.state, failed.effect), (BackgroundState::Failed, Effect::None));
        assert!(failed.message.starts_with("declined"), "{}", failed.message);
        let again = scene.task.call(ToolCall::new("job", arguments)).await;
        assert_eq!((again.code, again.rule()), (Code::ExecutionError, Some("idem.replayed_error")), "{again:?}");
    }
}
