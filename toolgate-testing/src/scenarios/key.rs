//! Keys: what makes two calls one, and what the second gets.

use toolgate_core::call::{Code, ToolCall};
use toolgate_core::ledger::KeyState;
use toolgate_core::tool::Effect;

use super::Verdict;
use super::scene::{Scene, call, task_of};

pub(super) async fn i001_first_call_has_its_effect(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    let first = bench.call("pay", "rent", "ok").await;
    assert_eq!((first.code, first.effect, scene.effects("rent")), (Code::Ok, Effect::Done, 1), "{first:?}");
    assert_eq!(bench.record(&first.call_id).await.0, "SUCCEEDED");
    assert_eq!(bench.key_of("pay").await.state, KeyState::Succeeded);
    Verdict::Held
}

pub(super) async fn i002_same_key_same_arguments_replays(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    let first = bench.call("pay", "rent", "ok").await;
    let next_start = scene.start().await;
    for bench in [&bench, &next_start] {
        let again = bench.call("pay", "rent", "ok").await;
        assert_eq!((again.code, &again.data), (Code::IdempotentReplay, &first.data), "{again:?}");
        assert_eq!(again.details.get("replay_of").and_then(|by| by.as_str()), Some(first.call_id.as_str()));
        let record = bench.story(&again.call_id).await.record;
        assert_eq!(record.replay_of.as_deref(), Some(first.call_id.as_str()));
    }
    assert_eq!(scene.effects("rent"), 1);
    Verdict::Held
}

pub(super) async fn i003_same_key_other_arguments_is_a_conflict_that_shows_nothing(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    let first = bench.call("book", "room", "ok").await;
    assert_eq!(first.code, Code::Ok, "{first:?}");
    let arguments = r#"{"what":"room","mode":"ok","note":"another"}"#;
    let other = bench.task.call(ToolCall::new("book", arguments).in_operation("operation")).await;
    assert_eq!((other.code, other.rule()), (Code::IdempotencyConflict, Some("idem.fingerprint_mismatch")));
    assert_eq!((other.data, scene.effects("room")), (None, 1));
    Verdict::Held
}

pub(super) async fn i005_same_key_while_it_runs_is_a_duplicate(scene: Scene) -> Verdict {
    let (bench, elsewhere) = (scene.start().await, scene.start().await);
    let first = bench.begin("pay", "rent", "held");
    scene.entered().await;
    for bench in [&bench, &elsewhere] {
        let second = bench.call("pay", "rent", "held").await;
        assert_eq!((second.code, second.rule()), (Code::DuplicateCall, Some("idem.running")), "{second:?}");
        assert!(second.retryable);
    }
    assert_eq!(scene.effects("rent"), 0);
    scene.go();
    assert_eq!(first.await.map(|first| first.code).ok(), Some(Code::Ok));
    assert_eq!(scene.effects("rent"), 1);
    Verdict::Held
}

pub(super) async fn i007_key_of_the_host_is_asked_for(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    let refused = bench.call("keyed", "rent", "ok").await;
    assert_eq!((refused.code, refused.rule()), (Code::InvalidArgument, Some("idem.no_key")), "{refused:?}");
    assert_eq!(scene.effects("rent"), 0);
    Verdict::Held
}

pub(super) async fn i008_malformed_key_is_refused(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    let keys = [String::new(), "k".repeat(256), "k".repeat(10_000), "a\nb".to_owned(), "a\u{0}b".to_owned()];
    for key in keys {
        let refused = bench.task.call(call("keyed", "rent", "ok").with_key(key)).await;
        assert_eq!((refused.code, refused.rule()), (Code::InvalidArgument, Some("idem.bad_key")), "{refused:?}");
    }
    assert_eq!(scene.effects("rent"), 0);
    Verdict::Held
}

pub(super) async fn i009_keys_of_two_principals_are_two(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    for principal in ["one", "another"] {
        let task = task_of(&bench.gate, principal);
        let answer = task.call(call("keyed", "rent", "ok").with_key("k1")).await;
        assert_eq!(answer.code, Code::Ok, "{answer:?}");
    }
    assert_eq!(scene.effects("rent"), 2);
    Verdict::Held
}

pub(super) async fn i010_keys_of_two_tools_are_two(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    for tool in ["keyed", "keyed_too"] {
        let answer = bench.task.call(call(tool, "rent", "ok").with_key("k1")).await;
        assert_eq!(answer.code, Code::Ok, "{answer:?}");
    }
    assert_eq!(scene.effects("rent"), 2);
    Verdict::Held
}

pub(super) async fn i013_definite_failure_is_replayed(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    let first = bench.call("pay", "rent", "final").await;
    let again = scene.start().await.call("pay", "rent", "final").await;
    assert_eq!((again.code, again.rule()), (first.code, Some("idem.replayed_error")), "{again:?}");
    assert!(again.message.contains("the card was declined"), "{}", again.message);
    assert_eq!((scene.effects("rent"), bench.key_of("pay").await.state), (0, KeyState::FailedFinal));
    Verdict::Held
}

pub(super) async fn i015_outcome_in_doubt_is_not_run_again(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    let first = bench.call("pay", "rent", "error").await;
    assert_eq!((first.code, first.effect), (Code::ExecutionError, Effect::Unknown), "{first:?}");
    for bench in [&bench, &scene.start().await] {
        let again = bench.call("pay", "rent", "error").await;
        assert_eq!((again.code, again.rule()), (Code::OutcomeUnknown, Some("idem.in_doubt")), "{again:?}");
    }
    assert_eq!((scene.effects("rent"), bench.key_of("pay").await.state), (1, KeyState::InDoubt));
    Verdict::Held
}
