//! Short runs of the checker over histories, and that it finds broken promises. The long run is a command; see
//! `src/main.rs`.
#![expect(clippy::unwrap_used, reason = "in a test, a panic is the message")]

use std::process::{Command, Output};

fn history(options: &[&str]) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_history")).args(options).output().unwrap();
    let text = String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap();
    println!("{text}");
    (status.code(), text)
}

#[test]
fn killed_and_paused_processes_do_nothing_twice_and_lose_nothing() {
    let (code, text) = history(&["--store", "sqlite", "--seed", "7", "--keys", "300", "--processes", "8"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains(" 0 faults"), "{text}");
    assert!(!text.contains(" 0 kills"), "{text}");
}

#[test]
fn a_store_that_gives_a_taken_key_away_is_found_out() {
    let (code, text) = history(&["--seed", "7", "--keys", "40", "--processes", "4", "--broken", "taken"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("2 effects") || text.contains("3 effects"), "{text}");
}

#[test]
fn a_store_that_answers_a_lost_commit_as_done_is_found_out() {
    let (code, text) = history(&["--seed", "7", "--keys", "40", "--processes", "4", "--broken", "lost-commit"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("the ledger says"), "{text}");
}
