//! Processes that are killed, and what the next start says.

use std::time::Duration;

use toolgate_core::call::Code;
use toolgate_core::gate::FaultPoint;
use toolgate_core::ledger::KeyState;
use toolgate_core::store::{CallFilter, CallRecord, KeyFilter, TicketState};

use super::Verdict;
use super::scene::{Bench, NO_DEATH, Scene};
use crate::conformance::{must, ticket};

/// The one call that the dead process made.
async fn left(bench: &Bench) -> Option<CallRecord> {
    must(bench.store.inner().calls(&CallFilter::default()).await).pop()
}

/// The start names the call as in doubt, with so many effects; asked again it isn't done.
pub(super) async fn must_be_in_doubt(scene: &Scene, mode: &str, effects: usize) -> CallRecord {
    let bench = scene.start().await;
    let call = left(&bench).await.unwrap_or_default();
    assert_eq!(
        (call.state.as_str(), call.code.as_str(), call.effect.as_str()),
        ("UNKNOWN", "OUTCOME_UNKNOWN", "unknown")
    );
    assert_eq!(bench.key_of("pay").await.state, KeyState::InDoubt);
    for _ in 0..2 {
        let again = bench.call("pay", "rent", mode).await;
        assert_eq!((again.code, again.rule()), (Code::OutcomeUnknown, Some("idem.in_doubt")), "{again:?}");
    }
    assert_eq!(scene.effects("rent"), effects);
    bench.must_be_sound().await;
    call
}

pub(super) async fn i031_death_about_the_claim_leaves_nothing_or_doubt(scene: Scene) -> Verdict {
    let Some(end) = scene.death("pay", "ok", Some(FaultPoint::BeforeClaim)).await else {
        return Verdict::NotHere(NO_DEATH);
    };
    assert!(end.killed, "{end:?}");
    let bench = scene.start().await;
    assert_eq!(left(&bench).await, None, "nothing was written");
    let again = bench.call("pay", "rent", "ok").await;
    assert_eq!((again.code, scene.effects("rent")), (Code::Ok, 1), "{again:?}");
    Verdict::Held
}

/// Either both or none: the approval is unspent where nothing was claimed, and spent where something was.
pub(super) async fn i032_death_about_the_claim_spends_the_approval_with_it(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    let asked = bench.call("wipe", "rent", "ok").await;
    assert_eq!(asked.code, Code::ConfirmationRequired, "{asked:?}");
    let name = asked.ticket().unwrap_or_default().to_owned();
    bench.approve(&name).await;
    drop(bench);
    for (point, spent) in [(FaultPoint::BeforeClaim, false), (FaultPoint::Claimed, true)] {
        let Some(end) = scene.death("wipe", "ok", Some(point)).await else {
            return Verdict::NotHere(NO_DEATH);
        };
        assert!(end.killed, "{end:?}");
        let bench = scene.start().await;
        let state = if spent { TicketState::Spent } else { TicketState::Approved };
        assert_eq!(ticket(&**bench.store.inner(), &name).await.state, state, "{point:?}");
        let key = must(bench.store.inner().keys(&KeyFilter::default()).await).pop();
        assert_eq!(key.map(|key| key.state), spent.then_some(KeyState::InDoubt), "{point:?}");
        assert_eq!(scene.effects("rent"), 0);
    }
    let again = scene.start().await.call("wipe", "rent", "ok").await;
    assert_eq!((again.code, scene.effects("rent")), (Code::OutcomeUnknown, 0), "{again:?}");
    Verdict::Held
}

pub(super) async fn i033_death_before_the_tool_is_entered_is_in_doubt(scene: Scene) -> Verdict {
    let Some(end) = scene.death("pay", "ok", Some(FaultPoint::Claimed)).await else {
        return Verdict::NotHere(NO_DEATH);
    };
    assert!(end.killed, "{end:?}");
    must_be_in_doubt(&scene, "ok", 0).await;
    Verdict::Held
}

pub(super) async fn i034_death_before_the_effect_is_in_doubt(scene: Scene) -> Verdict {
    let Some(end) = scene.death("pay", "die_before", None).await else {
        return Verdict::NotHere(NO_DEATH);
    };
    assert!(end.killed, "{end:?}");
    must_be_in_doubt(&scene, "die_before", 0).await;
    Verdict::Held
}

pub(super) async fn i035_death_after_the_effect_is_in_doubt_and_not_done_again(scene: Scene) -> Verdict {
    let Some(end) = scene.death("pay", "die_after", None).await else {
        return Verdict::NotHere(NO_DEATH);
    };
    assert!(end.killed, "{end:?}");
    must_be_in_doubt(&scene, "die_after", 1).await;
    Verdict::Held
}

/// Result, state of the key and event are one transaction: before it nothing of them is there, after it all.
pub(super) async fn i037_death_about_the_record_leaves_result_and_audit_together(scene: Scene) -> Verdict {
    let Some(end) = scene.death("pay", "ok", Some(FaultPoint::Recorded)).await else {
        return Verdict::NotHere(NO_DEATH);
    };
    assert!(end.killed, "{end:?}");
    let bench = scene.start().await;
    let call = left(&bench).await.unwrap_or_default();
    assert_eq!((call.state.as_str(), call.effect.as_str()), ("SUCCEEDED", "done"));
    assert_eq!(bench.events(&call.call_id).await, ["started", "finished"]);
    let again = bench.call("pay", "rent", "ok").await;
    assert_eq!((again.code, again.data.is_some(), scene.effects("rent")), (Code::IdempotentReplay, true, 1));
    let other = scene.death("pay_briefly", "ok", Some(FaultPoint::BeforeRecord)).await;
    assert!(other.is_some_and(|end| end.killed));
    let bench = scene.start().await;
    let key = bench.key_of("pay_briefly").await;
    assert_eq!(key.state, KeyState::InDoubt);
    assert_eq!(bench.events(&key.call_id).await, ["started", "lost"]);
    assert!(must(bench.store.inner().result(&key.call_id).await).is_none());
    bench.must_be_sound().await;
    Verdict::Held
}

/// The gate of the process has a lease of a second, and renews it while the tool stays.
pub(super) async fn i039_death_between_two_beats_is_in_doubt(scene: Scene) -> Verdict {
    let Some(end) = scene.killed_after("stays", Duration::from_millis(600)).await else {
        return Verdict::NotHere(NO_DEATH);
    };
    assert!(end.killed, "{end:?}");
    must_be_in_doubt(&scene, "stays", 1).await;
    Verdict::Held
}
