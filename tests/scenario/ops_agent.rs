//! The agent that looks after a fleet.

use std::fs;

use toolgate::serde_json::{self, Value};

use crate::program::{Folder, Run, run};

/// The story on a fleet and a database that stay for the test to look at.
fn story(folder: &Folder) -> Run {
    let (database, fleet) = (folder.path("agent.db"), folder.path("fleet"));
    let (database, fleet) = (database.to_str().unwrap(), fleet.to_str().unwrap());
    run("ops_agent", folder, &["--json", "--db", database, "--workspace", fleet])
}

const CALLS: [&str; 30] = [
    "query_service_state contract TOOL_NOT_FOUND none",
    "query_service_status parse MALFORMED_CALL none",
    "query_service_status parse MALFORMED_CALL none",
    "query_service_status contract INVALID_ARGUMENT none",
    "query_logs contract INVALID_ARGUMENT none",
    "query_metrics contract INVALID_ARGUMENT none",
    "restart_service policy PERMISSION_DENIED none",
    "query_service_status execute OK none",
    "query_metrics execute OK none",
    "query_logs clip OK none",
    "read_result execute OK none",
    "restart_service precondition PRECONDITION_FAILED none",
    "query_service_status execute OK none",
    "restart_service confirmation CONFIRMATION_REQUIRED none",
    "restart_service execute OK done",
    "restart_service recall IDEMPOTENT_REPLAY done",
    "query_service_status execute OK none",
    "delete_file policy PATH_OUTSIDE_WORKSPACE none",
    "delete_file policy PATH_OUTSIDE_WORKSPACE none",
    "delete_file confirmation CONFIRMATION_REQUIRED none",
    "delete_file confirmation CONFIRMATION_DENIED none",
    "delete_file confirmation CONFIRMATION_DENIED none",
    "query_service_status execute OK none",
    "restart_service confirmation CONFIRMATION_REQUIRED none",
    "restart_service execute EXECUTION_ERROR unknown",
    "delete_file policy TASK_ABORTED none",
    "query_service_status execute OK none",
    "restart_service recall OUTCOME_UNKNOWN unknown",
    "delete_file confirmation CONFIRMATION_REQUIRED none",
    "delete_file execute OK done",
];

#[test]
fn a_restart_is_looked_at_first_confirmed_done_once_and_told() {
    let folder = Folder::new();
    let run = story(&folder).succeeded();
    assert_eq!(run.calls(), CALLS);
    let fleet: Value = serde_json::from_slice(&fs::read(folder.path("fleet/fleet.json")).unwrap()).unwrap();
    let services: Vec<String> = fleet
        .as_array()
        .unwrap()
        .iter()
        .map(|service| format!("{} {} {}", service["name"], service["health"], service["restarts"]).replace('"', ""))
        .collect();
    let expected = [
        "order-service healthy 1",
        "payment-service unreachable 1",
        "search-service healthy 0",
        "order-service healthy 0",
    ];
    assert_eq!(services, expected, "each approved restart happened exactly once");
    assert!(folder.path("fleet/logs/archive/order-service-2026-09.log").exists(), "a denied deletion deletes nothing");
    assert!(!folder.path("fleet/logs/archive/order-service-2026-10.log").exists());
    assert!(folder.path("fleet/logs/order-service.log").exists());
}

#[test]
fn people_alerts_and_audit_are_told_to_machines() {
    let folder = Folder::new();
    let run = story(&folder).succeeded();
    let people = run.of_kind("person");
    let decisions: Vec<String> =
        people.iter().map(|line| format!("{} {}", line["state"], line["by"]).replace('"', "")).collect();
    assert_eq!(decisions, ["approved ann", "denied ann", "approved ben", "approved ann"]);
    assert_eq!(run.of_kind("alert").len(), 1);
    assert_eq!(run.of_kind("resume")[0]["person"]["by"], "ben");
    // A call that waits and goes on has one record.
    let audit = run.of_kind("audit");
    assert_eq!(audit.len(), CALLS.len() - people.len());
    let restart = audit.iter().find(|line| line["code"] == "OK" && line["effect"] == "done").unwrap();
    assert_eq!(restart["call"]["ticket"]["by"], "ann");
    assert_eq!(restart["call"]["ticket"]["comment"], "seen the log, go ahead");
    assert_eq!(restart["call"]["user"], "dana");
    assert!(restart["call"]["reason"].as_str().unwrap().starts_with("The pool of connections"));
}

#[test]
fn no_answer_names_a_place_of_this_machine() {
    let folder = Folder::new();
    let run = story(&folder).succeeded();
    let place = folder.path("").to_str().unwrap().to_owned();
    for line in run.of_kind("call").iter().chain(&run.of_kind("audit")) {
        assert!(!line.to_string().contains(&place), "{line}");
    }
}

#[test]
fn a_second_run_on_the_same_database_is_new_work() {
    let folder = Folder::new();
    let database = folder.path("agent.db");
    for _ in 0..2 {
        let run = run("ops_agent", &folder, &["--json", "--db", database.to_str().unwrap()]).succeeded();
        assert_eq!(run.calls(), CALLS);
    }
}

#[test]
fn a_story_that_goes_otherwise_says_so_and_ends_with_1() {
    let folder = Folder::new();
    let script = folder.path("story.jsonl");
    let call = r#"{"id": "call_1", "function": {"name": "query_service_state", "arguments": "{}"}}"#;
    let model = format!(r#"{{"model": {{"content": null, "tool_calls": [{call}]}}, "expect": [{{"code": "OK"}}]}}"#);
    let person = r#"{"person": {"by": "ann", "approve": "call_1"}}"#;
    fs::write(&script, [model.as_str(), person, person].join("\n")).unwrap();
    let run = run("ops_agent", &folder, &["--model", &format!("scripted:{}", script.display())]);
    assert_eq!(run.status.code(), Some(1));
    let told = "ops_agent: the story did not go as recorded:\n  \
        call 1 of `query_service_state`: code OK expected, TOOL_NOT_FOUND found\n  \
        call 1 waits for nobody, and a person should be asked\n";
    assert_eq!(run.stderr, told);
}

#[test]
fn a_workspace_of_an_earlier_run_is_refused_before_anything_is_done() {
    let folder = Folder::new();
    assert!(story(&folder).succeeded().stderr.is_empty());
    let again = story(&folder);
    assert_eq!((again.status.code(), again.stdout.as_str()), (Some(1), ""));
    assert!(again.stderr.contains("is not empty") && again.stderr.lines().count() == 1, "{}", again.stderr);
}

#[test]
fn a_piped_transcript_is_plain_and_nothing_is_left_behind() {
    let folder = Folder::new();
    let run = run("ops_agent", &folder, &[]).succeeded();
    assert!(!run.stdout.contains('\x1b'));
    assert!(run.stdout.contains("30 calls, all as recorded"), "{}", run.stdout);
    assert!(run.stdout.contains("== The audit trail =="));
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn a_kept_folder_holds_database_and_fleet() {
    let folder = Folder::new();
    let run = run("ops_agent", &folder, &["--keep", "--json"]).succeeded();
    let places = &run.of_kind("begin")[0]["places"];
    for place in ["database", "fleet"] {
        assert!(fs::exists(places[place].as_str().unwrap()).unwrap(), "{places}");
    }
}

#[test]
fn a_broken_script_is_told_with_its_line() {
    let folder = Folder::new();
    let script = folder.path("story.jsonl");
    fs::write(&script, "{\"user\": \"Look.\"}\n\n{\"usr\": \"Look.\"}\n").unwrap();
    let run = run("ops_agent", &folder, &["--model", &format!("scripted:{}", script.display())]);
    assert_eq!(run.status.code(), Some(1));
    assert!(run.stderr.contains("story.jsonl:3: unknown field `usr`"), "{}", run.stderr);
}

#[test]
fn an_unknown_model_or_option_is_told() {
    let folder = Folder::new();
    let model = run("ops_agent", &folder, &["--model", "parrot"]);
    assert!(model.stderr.contains("unknown model `parrot`, expected `scripted:FILE`"), "{}", model.stderr);
    let option = run("ops_agent", &folder, &["--fast"]);
    assert!(option.stderr.contains("unknown option `--fast`"), "{}", option.stderr);
    assert_eq!((model.status.code(), option.status.code()), (Some(1), Some(1)));
}

#[test]
fn the_policy_that_governs_the_agent_answers_its_own_examples() {
    let folder = Folder::new();
    let policy = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/ops_agent/policy.toml");
    let checked = run("ops_agent", &folder, &["policy", "check", policy]).succeeded();
    assert!(checked.stdout.ends_with("1 file checked, 0 found\n"), "{}", checked.stdout);
    let tested = run("ops_agent", &folder, &["policy", "test", policy]).succeeded();
    assert!(tested.stdout.ends_with("6 examples, 6 passed, 0 failed\n"), "{}", tested.stdout);
    let call = r#"{"path": "logs/order-service.log", "reason": "it is large"}"#;
    let why = run("ops_agent", &folder, &["policy", "explain", policy, "--task", "remediation", "delete_file", call]);
    assert!(why.status.code() == Some(1) && why.stdout.starts_with("deny: the folder of `/path`"), "{}", why.stdout);
    assert_eq!(folder.names(), [""; 0]);
}
