//! What an operator does with the ledger, and what a repeat gets then.

use std::time::Duration;

use toolgate::clock::Clock as _;
use toolgate::serde_json::{Value, json};
use toolgate::store::CallRecord;
use toolgate::{Code, Effect};
use toolgate_core::gate::{Resolution, find_call};
use toolgate_core::ledger::KeyState;
use toolgate_core::store::{KeyFilter, Resolved, Retention, Verdict, prunable, prune};

use super::support::{Bench, KINDS};

const PANICS: &str = r#"{"what":"pay","mode":"panic"}"#;
const PAYS: &str = r#"{"what":"pay","mode":"ok"}"#;

fn found(verdict: Verdict, result: Option<Value>) -> Resolution {
    Resolution { verdict, result, by: "olga".to_owned(), why: "looked at the bank".to_owned() }
}

async fn resolved(bench: &Bench, name: &str, said: Resolution) -> CallRecord {
    match bench.gate.resolve(name, said).await.unwrap() {
        Resolved::Now(call) => *call,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_a_person_found_out_is_what_a_repeat_gets() {
    for kind in KINDS {
        let cases = [
            (Verdict::Applied, Some(json!("receipt 7")), Code::IdempotentReplay, Effect::Done, 1),
            (Verdict::Applied, None, Code::IdempotentReplay, Effect::Done, 1),
            (Verdict::Partial, None, Code::ExecutionError, Effect::Partial, 1),
            (Verdict::NotApplied, None, Code::ExecutionError, Effect::Unknown, 2),
        ];
        for (verdict, result, code, effect, effects) in cases {
            let bench = Bench::new(kind).await;
            let first = bench.call("act", PANICS).await;
            assert_eq!(first.effect, Effect::Unknown);
            assert_eq!(bench.call("act", PANICS).await.code, Code::OutcomeUnknown);
            let record = resolved(&bench, &first.call_id, found(verdict, result.clone())).await;
            assert_eq!(record.resolution.unwrap().why, "looked at the bank");
            bench.gate.resume_stopped("S", None, "bob").await.unwrap();
            let again = bench.call("act", PANICS).await;
            assert_eq!((again.code, again.effect), (code, effect), "{kind:?} {verdict:?} {again:?}");
            assert_eq!(again.data, result, "{kind:?} {verdict:?}");
            assert_eq!(bench.world.effects(), effects, "{kind:?} {verdict:?}");
            bench.must_be_sound().await;
        }
    }
}

#[tokio::test]
async fn only_what_is_in_doubt_is_resolved_and_only_once() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let done = bench.call("act", PAYS).await;
        let doubt = bench.call("act", PANICS).await;
        let key = find_call(&**bench.store.inner(), &doubt.call_id).await.unwrap().unwrap().1.remove(0);
        let said = || found(Verdict::Applied, None);
        assert!(matches!(bench.gate.resolve(&done.call_id, said()).await.unwrap(), Resolved::Changed(_)));
        assert_eq!(bench.gate.resolve("nothing", said()).await.unwrap(), Resolved::NotFound);
        resolved(&bench, &key.key, said()).await;
        let second = bench.gate.resolve(&doubt.call_id, found(Verdict::NotApplied, None)).await.unwrap();
        assert!(matches!(second, Resolved::Changed(_)), "{kind:?}");
        let keys = bench.store.inner().keys(&KeyFilter::default()).await.unwrap();
        assert!(keys.iter().all(|key| key.state == KeyState::Succeeded), "{kind:?}");
    }
}

/// Case I020.
#[tokio::test]
async fn what_was_done_long_ago_never_runs_again() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let done = bench.call("act", PAYS).await;
        let doubt = bench.call("act", PANICS).await;
        bench.watch.forward(Duration::from_hours(24 * 31));
        let store = &**bench.store.inner();
        let now = || bench.watch.now_ms();
        let retention = Retention::default();
        let pruned = prune(store, &retention, now()).await.unwrap();
        assert_eq!((pruned.keys, pruned.results), (0, 1), "{kind:?}");
        let again = bench.call("act", PAYS).await;
        assert_eq!((again.code, again.rule()), (Code::IdempotentReplay, Some("idem.result_not_kept")), "{kind:?}");

        bench.watch.forward(Duration::from_hours(24 * 400));
        let dry = prunable(store, &retention, now()).await.unwrap();
        let pruned = prune(store, &retention, now()).await.unwrap();
        assert_eq!((dry.keys, pruned.keys), (1, 1), "{kind:?}: what is in doubt stays");
        let again = bench.call("act", PAYS).await;
        assert_eq!((again.code, again.rule()), (Code::OutcomeUnknown, Some("idem.key_expired")), "{kind:?} {again:?}");
        assert_eq!((again.effect, bench.world.effects()), (Effect::None, 2), "{kind:?}");
        let other = bench.call("act", PANICS).await;
        assert_eq!(other.rule(), Some("idem.in_doubt"), "{kind:?}");
        assert_eq!(bench.story(&done.call_id).await.record.state, "SUCCEEDED", "the record stays");
        resolved(&bench, &doubt.call_id, found(Verdict::Applied, None)).await;
        bench.must_be_sound().await;
    }
}
