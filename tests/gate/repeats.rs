//! Repeats of what is done: replayed while it holds, done again where it doesn't, and what the runs of
//! one call did together.

use toolgate::{Code, Effect, ToolCall};

use super::support::{Bench, KINDS};

async fn put(bench: &Bench, text: &str) -> Code {
    bench.call("put", &format!(r#"{{"path":"a.txt","text":"{text}"}}"#)).await.code
}

#[tokio::test]
async fn writing_a_then_b_then_a_ends_in_a() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        for (text, expected) in [
            ("A", Code::Ok),
            ("A", Code::IdempotentReplay),
            ("B", Code::Ok),
            ("A", Code::Ok),
            ("A", Code::IdempotentReplay),
            ("B", Code::Ok),
        ] {
            assert_eq!(put(&bench, text).await, expected, "{kind:?} {text}");
            assert_eq!(std::fs::read_to_string(bench.folder.file("a.txt")).unwrap(), text);
        }
        assert_eq!(bench.world.effects(), 4);
        bench.must_be_sound().await;
    }
}

#[tokio::test]
async fn file_that_somebody_else_changed_or_removed_is_written_again() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        assert_eq!(put(&bench, "A").await, Code::Ok);
        std::fs::write(bench.folder.file("a.txt"), "somebody else").unwrap();
        assert_eq!(put(&bench, "A").await, Code::Ok);
        std::fs::remove_file(bench.folder.file("a.txt")).unwrap();
        assert_eq!(put(&bench, "A").await, Code::Ok);
        assert_eq!(bench.world.effects(), 3);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn result_that_no_longer_holds_is_done_again_once() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        assert_eq!(put(&bench, "A").await, Code::Ok);
        std::fs::remove_file(bench.folder.file("a.txt")).unwrap();
        let calls: Vec<_> = (0..20)
            .map(|_| {
                let task = bench.task.clone();
                tokio::spawn(async move { task.call(ToolCall::new("put", r#"{"path":"a.txt","text":"A"}"#)).await })
            })
            .collect();
        let mut ran = 0;
        for call in calls {
            let result = call.await.unwrap();
            match result.code {
                Code::Ok => ran += 1,
                // Where another was faster, the path is not as it was looked at.
                Code::IdempotentReplay | Code::DuplicateCall => {}
                Code::InvalidArgument if result.rule() == Some("path.changed") => {}
                _ => panic!("{result:?}"),
            }
        }
        assert_eq!((ran, bench.world.effects()), (1, 2), "{kind:?}");
    }
}

#[tokio::test]
async fn same_message_of_a_provider_is_the_same_call() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let call = |id: &str, text: &str| {
            ToolCall::new("put", format!(r#"{{"path":"a.txt","text":"{text}"}}"#)).with_provider_id(id)
        };
        assert_eq!(bench.task.call(call("m1", "A")).await.code, Code::Ok);
        assert_eq!(bench.task.call(call("m2", "B")).await.code, Code::Ok);
        let redelivered = bench.task.call(call("m1", "A")).await;
        assert_eq!(redelivered.code, Code::IdempotentReplay, "delivered twice is not asked twice");
        assert_eq!(std::fs::read_to_string(bench.folder.file("a.txt")).unwrap(), "B");
        let conflict = bench.task.call(call("m1", "C")).await;
        assert_eq!((conflict.code, conflict.data), (Code::IdempotencyConflict, None));
        assert_eq!(bench.task.call(call("m3", "A")).await.code, Code::Ok);
        assert_eq!(bench.world.effects(), 3);
    }
}

#[tokio::test]
async fn runs_of_one_call_are_told_together() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let done = bench.call("put_at_last", r#"{"path":"a.txt","text":"A","ends":"ok"}"#).await;
        assert_eq!((done.code, done.effect), (Code::Ok, Effect::Done), "{done:?}");
        assert_eq!(std::fs::read_to_string(bench.folder.file("a.txt")).unwrap(), "A 3");
        assert_eq!(bench.story(&done.call_id).await.record.attempts, 3);
        let failed = bench.call("put_at_last", r#"{"path":"b.txt","text":"B","ends":"none"}"#).await;
        assert_eq!(failed.code, Code::ExecutionError);
        assert_eq!(failed.effect, Effect::Unknown, "the last run did nothing, the ones before may have");
        assert_eq!(bench.world.effects(), 6);
    }
}

#[tokio::test]
async fn proved_no_effect_runs_again_but_not_for_ever() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        for n in 1..=12 {
            let result = bench.call("act", r#"{"what":"x","mode":"none"}"#).await;
            bench.gate.resume_stopped("S", None, "bob").await.unwrap();
            let rule = if n <= 10 { "execute.failed" } else { "idem.replayed_error" };
            assert_eq!((result.code, result.rule()), (Code::ExecutionError, Some(rule)), "{n}: {result:?}");
            assert_eq!(result.effect, Effect::None);
        }
    }
}
