//! From what stands at a name now back to what stood there before a call. Pure: the one place that says whether the
//! world has moved on.

use super::state::{Change, State};

/// The name no longer holds what the call left there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MovedOn;

/// What stood at a name before these changes of it, oldest first, given what stands there now.
///
/// A change is kept before it is made, so that the process may have died, or the change failed, in between: one that
/// shows no trace was never made. Equal to `now` where nothing is to be done.
pub(crate) fn walk_back<'s>(changes: &[&'s Change], now: &'s State) -> Result<&'s State, MovedOn> {
    // Back at the start, whoever brought it there: an undoing that broke off must be able to go on with the other names.
    if changes.first().is_some_and(|first| first.before == *now) {
        return Ok(now);
    }
    let mut at = now;
    for change in changes.iter().rev() {
        if *at == change.after {
            at = &change.before;
        } else if *at != change.before {
            return Err(MovedOn);
        }
    }
    Ok(at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn file(text: &str) -> State {
        State::File { digest: text.to_owned(), size: text.len() as u64, mode: 0o644 }
    }

    fn change(before: &State, after: &State) -> Change {
        Change { place: "a".to_owned(), before: before.clone(), after: after.clone() }
    }

    #[test]
    fn changes_of_one_name_are_taken_back_in_reverse() {
        let steps = [change(&State::Absent, &file("1")), change(&file("1"), &file("2"))];
        let steps: Vec<&Change> = steps.iter().collect();
        assert_eq!(walk_back(&steps, &file("2")), Ok(&State::Absent));
        assert_eq!(walk_back(&steps, &file("1")), Ok(&State::Absent), "the second was never made");
        assert_eq!(walk_back(&steps, &State::Absent), Ok(&State::Absent), "everything is back already");
        assert_eq!(walk_back(&steps, &file("3")), Err(MovedOn));
    }

    #[test]
    fn other_permissions_are_another_state() {
        let steps = [change(&State::Absent, &file("1"))];
        let State::File { digest, size, .. } = file("1") else { unreachable!() };
        let opened = State::File { digest, size, mode: 0o666 };
        assert_eq!(walk_back(&[&steps[0]], &opened), Err(MovedOn));
    }

    proptest! {
        /// However many of the changes were made, from the front and without gaps, the way back ends at the start.
        #[test]
        fn a_call_that_broke_off_anywhere_goes_back_to_its_start(texts in proptest::collection::vec("[a-c]", 1..6), made in 0_usize..6) {
            let states: Vec<State> = std::iter::once(State::Absent).chain(texts.iter().map(|text| file(text))).collect();
            let steps: Vec<Change> = states.windows(2).map(|pair| change(&pair[0], &pair[1])).collect();
            let made = made.min(steps.len());
            // What was kept: the changes that were made and at most one more.
            let kept: Vec<&Change> = steps.iter().take(made + 1).collect();
            prop_assert_eq!(walk_back(&kept, &states[made]), Ok(&State::Absent));
        }
    }
}
