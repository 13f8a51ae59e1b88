//! The agent that works on a project.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use toolgate::store::{CallFilter, CallRecord};
use toolgate::{SqliteStore, Store as _};

use crate::program::{Folder, run};

const CALLS: [&str; 27] = [
    "list_files execute OK none",
    "search_text execute OK none",
    "read_text execute OK none",
    "read_text contract INVALID_ARGUMENT none",
    "read_txt contract TOOL_NOT_FOUND none",
    "write_file policy PERMISSION_DENIED none",
    "read_text clip OK none",
    "read_result execute OK none",
    "read_text policy PATH_OUTSIDE_WORKSPACE none",
    "read_text policy PATH_OUTSIDE_WORKSPACE none",
    "read_text policy PATH_OUTSIDE_WORKSPACE none",
    "list_files policy PATH_OUTSIDE_WORKSPACE none",
    "read_text policy INVALID_ARGUMENT none",
    "write_file policy PATH_OUTSIDE_WORKSPACE none",
    "write_file policy PATH_OUTSIDE_WORKSPACE none",
    "write_file policy PATH_OUTSIDE_WORKSPACE none",
    "write_file policy PATH_OUTSIDE_WORKSPACE none",
    "write_file execute OK done",
    "write_file execute OK done",
    "write_file execute OK done",
    "write_file recall IDEMPOTENT_REPLAY done",
    "read_text execute OK none",
    "write_file execute OK done",
    "run_command confirmation CONFIRMATION_REQUIRED none",
    "run_command execute OK done",
    "run_command confirmation CONFIRMATION_REQUIRED none",
    "run_command execute PERMISSION_DENIED none",
];

#[test]
fn a_review_writes_nothing_and_an_edit_only_where_it_may() {
    let folder = Folder::new();
    let run = run("code_agent", &folder, &["--json", "--keep"]).succeeded();
    assert_eq!(run.calls(), CALLS);
    let begin = &run.of_kind("begin")[0];
    let workspace = PathBuf::from(begin["places"]["workspace"].as_str().unwrap());
    let text = |name: &str| fs::read_to_string(workspace.join(name)).unwrap();
    assert_eq!(text("src/greeting.txt"), "Hello\n", "A, then B, then A again ends in A");
    assert!(text("tests/unit/test_words.py").starts_with("def test_words"));
    assert!(text("README.md").starts_with("# greeter"));
    assert!(text("docs/changes.txt").starts_with("0.400.0"));
    assert!(!workspace.join("src/.git").exists());
    let outside: Vec<_> = fs::read_dir(workspace.join("src/vendored")).unwrap().collect();
    assert_eq!(outside.len(), 1, "nothing was written through the link");
}

#[test]
fn the_reason_of_each_refused_path_is_named() {
    let folder = Folder::new();
    let run = run("code_agent", &folder, &["--json"]).succeeded();
    let calls = run.of_kind("call");
    let rules: Vec<&str> = calls
        .iter()
        .filter(|line| line["code"] == "PATH_OUTSIDE_WORKSPACE")
        .map(|line| line["call"]["details"]["rule"].as_str().unwrap())
        .collect();
    let expected = [
        "path.escape",
        "path.absolute",
        "path.escape",
        "path.escape",
        "path.not_writable",
        "path.not_writable",
        "path.protected",
        "path.escape",
    ];
    assert_eq!(rules, expected);
}

#[test]
fn a_cut_file_is_read_to_its_end() {
    let folder = Folder::new();
    let run = run("code_agent", &folder, &["--json"]).succeeded();
    let calls = run.of_kind("call");
    let cut = calls.iter().find(|line| line["stage"] == "clip").unwrap();
    assert_eq!(cut["call"]["truncated"], true);
    let rest = calls.iter().find(|line| line["call"]["tool"] == "read_result").unwrap();
    assert!(rest["call"]["data"]["text"].as_str().unwrap().ends_with("0.1.0: release number 1"));
    assert!(rest["call"]["data"]["next_offset"].is_null());
}

#[test]
fn a_program_runs_without_a_shell_and_an_approval_adds_none_to_the_list() {
    let folder = Folder::new();
    let run = run("code_agent", &folder, &["--json"]).succeeded();
    let calls = run.of_kind("call");
    let ran: Vec<_> = calls.iter().filter(|line| line["call"]["tool"] == "run_command").collect();
    assert_eq!(ran[1]["call"]["data"]["exit_code"], 0);
    assert!(ran[1]["call"]["data"]["output"].as_str().unwrap().contains("src/greeting.txt:1:Hello"), "{}", ran[1]);
    assert_eq!(ran[3]["call"]["details"]["rule"], "exec.program_not_allowed");
    assert!(ran[3]["call"]["details"]["stops"].is_null(), "a refusal stops nothing");
}

/// The writes of the story whose effect is there, newest first.
async fn writes(database: &str) -> Vec<CallRecord> {
    let filter =
        CallFilter { tool: Some("write_file".to_owned()), code: Some("OK".to_owned()), ..CallFilter::default() };
    let calls = SqliteStore::open(database).unwrap().calls(&filter).await.unwrap();
    calls.into_iter().filter(|call| call.undo_of.is_none()).collect()
}

#[tokio::test]
async fn what_the_agent_edited_is_undone_by_the_command_newest_first() {
    let folder = Folder::new();
    let run = run("code_agent", &folder, &["--json", "--keep"]).succeeded();
    let begin = &run.of_kind("begin")[0];
    let place = |name: &str| begin["places"][name].as_str().unwrap().to_owned();
    let (database, workspace) = (place("database"), PathBuf::from(place("workspace")));
    let undo = async |more: &[&str]| {
        let command = ["toolgate", "undo", "--db", &database, "--by", "dana"];
        let line = command.iter().chain(more);
        toolgate_cli::run(None, line.copied()).await
    };
    let greeting = || fs::read_to_string(workspace.join("src/greeting.txt")).unwrap();
    let calls = writes(&database).await;
    assert_eq!(calls.len(), 4, "{calls:?}");
    let oldest = calls.last().unwrap().call_id.as_str();
    assert_eq!(undo(&[&calls[2].call_id, "--yes"]).await, ExitCode::from(1), "a later call wrote another text");
    assert_eq!(undo(&[&calls[0].call_id, "--dry-run"]).await, ExitCode::SUCCESS);
    assert_eq!(undo(&[&calls[0].call_id]).await, ExitCode::from(2), "there is no terminal to ask on");
    assert!(workspace.join("tests/unit/test_words.py").exists(), "nothing has happened so far");
    for call in &calls {
        assert_eq!(undo(&[&call.call_id, "--yes"]).await, ExitCode::SUCCESS);
    }
    assert!(!workspace.join("tests/unit/test_words.py").exists());
    let original = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/code_agent/workspace/src/greeting.txt");
    assert_eq!(greeting(), fs::read_to_string(original).unwrap());
    assert_eq!(undo(&[oldest, "--yes"]).await, ExitCode::from(1), "once");
    // A program that ran put nothing by, so the task as a whole can't be undone, and that is said.
    assert_eq!(undo(&["--task", "edit", "--yes"]).await, ExitCode::from(1));
}
