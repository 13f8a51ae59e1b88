//! The two state machines, exhaustively: every state against every event, and every answer.

use proptest::prelude::*;
use toolgate_core::ledger::{
    Answer, CallEvent, CallState, Ending, KeyEvent, KeyParts, KeyState, MAX_ATTEMPTS, idempotency_key, provider_key,
};
use toolgate_core::spec::Repeat;

const CALL_EVENTS: [CallEvent; 15] = [
    CallEvent::Validate,
    CallEvent::Authorize,
    CallEvent::Ask,
    CallEvent::Approve,
    CallEvent::Refuse,
    CallEvent::Replay,
    CallEvent::ReplayFailure,
    CallEvent::Start,
    CallEvent::Succeed,
    CallEvent::Fail,
    CallEvent::TimeOut,
    CallEvent::Lose,
    CallEvent::LateResult,
    CallEvent::LateConflict,
    CallEvent::Resolve,
];

const REPEATS: [Repeat; 4] = [Repeat::Reads, Repeat::Idempotent, Repeat::Once, Repeat::Repeatable("why")];

fn key_events() -> Vec<KeyEvent> {
    let mut events = vec![KeyEvent::Claim, KeyEvent::Reclaim, KeyEvent::Lose, KeyEvent::Prune];
    for ending in Ending::ALL {
        events.extend([KeyEvent::Finish(ending), KeyEvent::Late(ending), KeyEvent::Resolve(ending)]);
    }
    events
}

fn key_states() -> Vec<Option<KeyState>> {
    std::iter::once(None).chain(KeyState::ALL.map(Some)).collect()
}

/// The whole table of a call, written out once more.
fn legal_call(state: CallState, event: CallEvent) -> Option<CallState> {
    use CallEvent as E;
    use CallState as S;
    let table = [
        (S::Received, E::Validate, S::Validated),
        (S::Received, E::Refuse, S::Denied),
        (S::Received, E::Lose, S::Denied),
        (S::Validated, E::Authorize, S::Authorized),
        (S::Validated, E::Refuse, S::Denied),
        (S::Validated, E::Lose, S::Denied),
        (S::Authorized, E::Ask, S::AwaitingConfirmation),
        (S::Authorized, E::Refuse, S::Denied),
        (S::Authorized, E::Replay, S::Succeeded),
        (S::Authorized, E::ReplayFailure, S::Failed),
        (S::Authorized, E::Start, S::Running),
        (S::Authorized, E::Lose, S::Denied),
        (S::AwaitingConfirmation, E::Approve, S::Authorized),
        (S::AwaitingConfirmation, E::Refuse, S::Denied),
        (S::Running, E::Succeed, S::Succeeded),
        (S::Running, E::Fail, S::Failed),
        (S::Running, E::TimeOut, S::TimedOut),
        (S::Running, E::Lose, S::Unknown),
        (S::Succeeded, E::LateConflict, S::Succeeded),
        (S::Failed, E::LateConflict, S::Failed),
        (S::Failed, E::Resolve, S::Failed),
        (S::TimedOut, E::LateResult, S::TimedOut),
        (S::TimedOut, E::LateConflict, S::TimedOut),
        (S::TimedOut, E::Resolve, S::TimedOut),
        (S::Unknown, E::LateResult, S::Unknown),
        (S::Unknown, E::LateConflict, S::Unknown),
        (S::Unknown, E::Resolve, S::Unknown),
    ];
    table.iter().find(|(from, by, _)| (*from, *by) == (state, event)).map(|(_, _, to)| *to)
}

#[test]
fn call_takes_the_events_of_the_table_and_no_others() {
    for state in CallState::ALL {
        for event in CALL_EVENTS {
            assert_eq!(state.next(event).ok(), legal_call(state, event), "{state} {event:?}");
        }
        assert_eq!(CallState::parse(state.as_str()), Some(state));
    }
}

/// Cases I098 and I099: what a record may become is what events can make of it, step by step, and what
/// a late result may correct.
#[test]
fn records_become_only_what_events_make_of_them() {
    let mut reached: Vec<(CallState, CallState)> = CallState::ALL.map(|state| (state, state)).to_vec();
    for _ in CallState::ALL {
        let steps: Vec<_> = reached
            .iter()
            .flat_map(|(from, to)| CALL_EVENTS.map(|event| (*from, to.next(event).ok())))
            .filter_map(|(from, to)| Some((from, to?)))
            .collect();
        reached.extend(steps);
        reached.sort_by_key(|(from, to)| (from.as_str(), to.as_str()));
        reached.dedup();
    }
    let corrects = |from, to| {
        use CallState as S;
        matches!((from, to), (S::TimedOut | S::Unknown, S::Succeeded | S::Failed) | (S::Unknown, S::TimedOut))
    };
    for from in CallState::ALL {
        for to in CallState::ALL {
            if from.may_become(to) {
                assert!(reached.contains(&(from, to)) || corrects(from, to), "{from} {to}");
            }
        }
    }
    assert!(!CallState::Received.may_become(CallState::Running));
    assert!(!CallState::Denied.may_become(CallState::Succeeded));
}

#[test]
fn answered_call_is_never_unanswered() {
    for state in CallState::ALL.into_iter().filter(|state| state.is_terminal()) {
        for event in CALL_EVENTS {
            assert!(!state.next(event).is_ok_and(|next| next != state), "{state} {event:?}");
        }
    }
}

/// Case I098: the tool is entered from one state only, which policy alone leads to.
#[test]
fn only_authorized_calls_run() {
    for state in CallState::ALL {
        assert_eq!(state.next(CallEvent::Start).is_ok(), state == CallState::Authorized);
        let leads = CALL_EVENTS
            .into_iter()
            .any(|event| state != CallState::Authorized && state.next(event) == Ok(CallState::Authorized));
        assert_eq!(leads, matches!(state, CallState::Validated | CallState::AwaitingConfirmation));
    }
}

#[test]
fn illegal_event_is_told_in_words() {
    let error = CallState::Denied.next(CallEvent::Succeed).unwrap_err();
    assert_eq!(error.to_string(), "a call that is DENIED can't take Succeed");
    let error = KeyState::next(None, KeyEvent::Lose, Repeat::Once).unwrap_err();
    assert_eq!(error.to_string(), "a key that is new can't take Lose");
}

fn legal_key(before: Option<KeyState>, event: KeyEvent, idempotent: bool) -> Option<KeyState> {
    use KeyState as S;
    let ended = |ending| match ending {
        Ending::Succeeded => S::Succeeded,
        Ending::FailedNoEffect => S::FailedNoEffect,
        Ending::FailedFinal => S::FailedFinal,
        Ending::Partial => S::Partial,
        Ending::InDoubt => S::InDoubt,
    };
    match event {
        KeyEvent::Claim => {
            let free = matches!(before, None | Some(S::FailedNoEffect));
            (free || (idempotent && before == Some(S::InDoubt))).then_some(S::Running)
        }
        KeyEvent::Reclaim => (idempotent && before == Some(S::Succeeded)).then_some(S::Running),
        KeyEvent::Finish(ending) => (before == Some(S::Running)).then_some(ended(ending)),
        KeyEvent::Lose => (before == Some(S::Running)).then_some(S::InDoubt),
        KeyEvent::Late(ending) | KeyEvent::Resolve(ending) => (before == Some(S::InDoubt)).then_some(ended(ending)),
        KeyEvent::Prune => {
            let settled = !matches!(before, None | Some(S::Running | S::InDoubt));
            settled.then_some(S::Pruned)
        }
    }
}

#[test]
fn key_takes_the_events_of_the_table_and_no_others() {
    for before in key_states() {
        for event in key_events() {
            for repeat in REPEATS {
                let expected = legal_key(before, event, repeat == Repeat::Idempotent);
                assert_eq!(KeyState::next(before, event, repeat).ok(), expected, "{before:?} {event:?} {repeat:?}");
            }
        }
    }
    for state in KeyState::ALL {
        assert_eq!(KeyState::parse(state.as_str()), Some(state));
    }
}

#[test]
fn second_call_gets_the_answer_of_the_table() {
    for attempts in [0, 1, MAX_ATTEMPTS - 1, MAX_ATTEMPTS, u32::MAX] {
        for repeat in REPEATS {
            let bounded = attempts < MAX_ATTEMPTS;
            let expected = |state| match state {
                KeyState::Running => Answer::Duplicate,
                KeyState::Succeeded | KeyState::FailedFinal | KeyState::Partial => Answer::Replay,
                KeyState::FailedNoEffect => {
                    if bounded {
                        Answer::Run
                    } else {
                        Answer::Replay
                    }
                }
                KeyState::InDoubt if repeat == Repeat::Idempotent && bounded => Answer::Run,
                KeyState::InDoubt => Answer::OutcomeUnknown,
                KeyState::Pruned => Answer::Expired,
            };
            for state in KeyState::ALL {
                assert_eq!(state.answer(repeat, attempts), expected(state), "{state} {repeat:?} {attempts}");
            }
        }
    }
}

#[test]
fn what_may_run_can_be_claimed_and_what_is_claimed_could_run() {
    for state in KeyState::ALL {
        for repeat in REPEATS {
            let runs = state.answer(repeat, 0) == Answer::Run;
            assert_eq!(KeyState::next(Some(state), KeyEvent::Claim, repeat).is_ok(), runs, "{state} {repeat:?}");
        }
    }
}

proptest! {
    /// Whatever happens to the key of a `once` tool: after a success nothing makes it run again, and a
    /// pruned key stays pruned.
    #[test]
    fn once_is_once(events in prop::collection::vec(0..19_usize, 0..60)) {
        let all = key_events();
        let mut state = None;
        let mut succeeded = false;
        for event in events {
            let event = all[event];
            let Ok(next) = KeyState::next(state, event, Repeat::Once) else { continue };
            prop_assert!(!(succeeded && next == KeyState::Running), "ran again by {event:?}");
            prop_assert!(!(state == Some(KeyState::Pruned) && next != KeyState::Pruned));
            succeeded |= next == KeyState::Succeeded;
            state = Some(next);
        }
    }

    /// Parts that only look alike when joined give different keys.
    #[test]
    fn keys_of_different_parts_differ(
        one in prop::array::uniform5("[ab:/]{0,3}"), other in prop::array::uniform5("[ab:/]{0,3}"),
    ) {
        let key = |[tenant, principal, tool, scope, subject]: &[String; 5]| {
            idempotency_key(&KeyParts { tenant, principal, tool, scope, subject })
        };
        prop_assert_eq!(key(&one) == key(&other), one == other);
        let provider = |[a, b, c, d, _]: &[String; 5]| provider_key(a, b, c, d);
        prop_assert_eq!(provider(&one) == provider(&other), one[..4] == other[..4]);
    }
}

#[test]
fn keys_keep_their_form() {
    let parts = KeyParts { tenant: "default", principal: "agent", tool: "pay", scope: "op-1", subject: "{}" };
    let key = idempotency_key(&parts);
    assert_eq!(key.len(), 64);
    assert_eq!(
        key, "840a5dcabba512671d855716ea40076b448c9531d9253ab97f5481f8d983d996",
        "stored keys must be found by later versions"
    );
}
