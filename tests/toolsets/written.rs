//! Runs the tests of a set that doesn't fit together, as `cargo test` runs them for a user. Not the check, which
//! is the gate's.

use std::process::Command;

#[test]
fn the_test_of_a_bad_set_is_there_and_fails_with_every_fault() {
    let output = Command::new(env!("CARGO"))
        .args(["test", "--offline", "-p", env!("CARGO_PKG_NAME"), "--test", "bad"])
        .env("RUST_BACKTRACE", "0")
        .output()
        .expect("cargo runs this test, so it is there");
    let text = String::from_utf8_lossy(&output.stdout);
    let all = format!("{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(!output.status.success(), "{all}");
    for part in [
        "test both_hold_tools ... ok",
        "test toolset_bad::fits_together ... FAILED",
        "test toolset_good::fits_together ... ok",
        "a gate would refuse the tools of `BAD`:",
        "tool `by_field`, at precondition on `look`: `result` has no field `stauts`",
        "did you mean `status`?",
        "tool `by_word`, at precondition on `look`: `result.status` is never \"unhelthy\"",
    ] {
        assert!(text.contains(part), "{part}: {all}");
    }
}
