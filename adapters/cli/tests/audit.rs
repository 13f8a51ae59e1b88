//! The trail, stopped tasks and the state of the file, read by the command.

mod common;

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;

use common::{Stand, plain, run};
use toolgate_core::call::{Code, ToolCall};

#[tokio::test(flavor = "multi_thread")]
async fn calls_are_listed_newest_first_and_filtered() {
    let stand = Stand::new().await;
    let _ = stand.call("look", "orders").await;
    let _ = stand.call("restart", "billing").await;
    let _ = stand.call("lok", "x").await;
    let table = stand.run(&["audit", "list"]);
    let lines: Vec<&str> = table.text().lines().collect();
    assert!(lines[0].starts_with("time") && lines[0].contains("approved by"), "{}", table.out);
    for (line, parts) in lines[1..].iter().zip([
        &["lok", "TOOL_NOT_FOUND"][..],
        &["restart", "dangerous", "PRECONDITION_FAILED", "precondition", "none"],
        &["look", "read", "OK", "none", "T-1"],
    ]) {
        assert!(parts.iter().all(|part| line.contains(part)), "{line}");
    }
    let count = |args: &[&str]| {
        let args: Vec<&str> = ["audit", "list", "--json"].into_iter().chain(args.iter().copied()).collect();
        stand.run(&args).json().len()
    };
    assert_eq!(count(&[]), 3);
    assert_eq!(count(&["--tool", "look"]), 1);
    assert_eq!(count(&["--code", "PRECONDITION_FAILED", "--session", "session-1", "--task", "T-1"]), 1);
    assert_eq!(count(&["--state", "DENIED"]), 2);
    assert_eq!(count(&["--session", "another"]), 0);
    assert_eq!(count(&["--since", "1h", "--until", "2100-01-01"]), 3);
    assert_eq!(count(&["--until", "1h"]), 0);
    assert_eq!(count(&["--limit", "2"]), 2);
    let two = stand.run(&["audit", "list", "--limit", "2"]);
    assert!(two.text().ends_with("and older ones: these are the newest 2, see `--limit`\n"), "{}", two.out);
    assert_eq!(stand.run(&["audit", "list", "--tool", "none"]).text(), "no calls\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn words_that_no_call_has_are_refused() {
    let stand = Stand::new().await;
    let code = stand.run(&["audit", "list", "--code", "OKAY"]);
    assert!(code.error(2).contains("no code `OKAY`, there are: OK, "), "{code:?}");
    let state = stand.run(&["audit", "stats", "--state", "done"]);
    assert!(state.error(2).contains("no state `done`, there are: RECEIVED"), "{state:?}");
    let time = stand.run(&["audit", "list", "--since", "noon"]);
    assert_eq!(time.code, 2);
    assert!(time.err.contains("`noon` is no time"), "{time:?}");
    let call = stand.run(&["audit", "show", "call_none"]);
    assert!(call.error(1).contains("no call `call_none`"), "{call:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_story_tells_who_why_and_what_became_of_it() {
    let stand = Stand::new().await;
    let refused = stand.call("restart", "orders").await.call_id;
    let (ticket, call) = stand.ticket("orders").await;
    let story = stand.run(&["audit", "show", &refused]);
    for part in [
        "PRECONDITION_FAILED: refused at the precondition stage by rule `",
        "nothing happened to the world",
        "by agent ops-agent on behalf of ann",
        "session session-1, task T-1 (remediation)",
        "name = \"orders\"",
        "it hangs (the model's words)",
        "allowed by rule `",
        "not met by look: `result.status == 'unhealthy'",
        "no such call was seen",
        "the tool was not entered",
    ] {
        assert!(story.text().contains(part), "{part}: {}", story.out);
    }
    let waiting = stand.run(&["audit", "show", &call]);
    assert!(waiting.text().contains("nothing has happened yet; a person is asked"), "{}", waiting.out);
    stand.run(&["approvals", "approve", &ticket]).text();
    assert_eq!(stand.task.resume(&ticket).await.code, Code::Ok);
    let done = stand.run(&["audit", "show", &call]);
    for part in [
        "OK: the tool ran and succeeded; its effect is done",
        "is approved by olga through cli (used)",
        "met by look",
        "not a replay",
        "asked AWAITING_CONFIRMATION",
        "started RUNNING",
        "SUCCEEDED OK",
    ] {
        assert!(done.text().contains(part), "{part}: {}", done.out);
    }
    let replayed = stand.call("restart", "orders").await;
    assert_eq!(replayed.code, Code::IdempotentReplay);
    let story = stand.run(&["audit", "show", &replayed.call_id]);
    let part = format!("nothing ran; the recorded answer of {call} was given again");
    assert!(story.text().contains(&part), "{}", story.out);
    let json = &stand.run(&["audit", "show", &replayed.call_id, "--json"]).json()[0];
    assert_eq!(json["record"]["replay_of"], call.as_str());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_does_not_parse_has_a_story() {
    let stand = Stand::new().await;
    let result = stand.task.call(ToolCall::new("look", "{\"name\": ")).await;
    assert_eq!(result.code, Code::MalformedCall);
    let story = stand.run(&["audit", "show", &result.call_id]);
    for part in ["MALFORMED_CALL: refused at the parse stage", "as the model wrote them: ", "was not asked"] {
        assert!(story.text().contains(part), "{part}: {}", story.out);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn stats_count_what_is_listed() {
    let stand = Stand::new().await;
    for name in ["a", "b", "c"] {
        let _ = stand.call("look", name).await;
    }
    let _ = stand.call("restart", "z").await;
    let json = &stand.run(&["audit", "stats", "--json"]).json()[0];
    assert_eq!(json["calls"], 4);
    assert_eq!((&json["code"]["OK"], &json["tool"]["look"]), (&3.into(), &3.into()), "{json}");
    assert_eq!(json["effect"]["none"], 4);
    assert_eq!((&json["answer_ms"]["calls"], &json["run_ms"]["calls"]), (&4.into(), &3.into()), "{json}");
    assert!(json["answer_ms"]["p95"].is_i64());
    let only = &stand.run(&["audit", "stats", "--tool", "restart", "--json"]).json()[0];
    assert_eq!(only["calls"], 1);
    let text = stand.run(&["audit", "stats"]);
    for part in ["code", "PRECONDITION_FAILED", "stage", "effect", "total", "p50 ms", "p95 ms", "receipt to answer"] {
        assert!(text.text().contains(part), "{part}: {}", text.out);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_task_is_listed_and_resumed_by_a_person() {
    let stand = Stand::new().await;
    assert_eq!(stand.run(&["tasks", "list"]).text(), "no task is stopped\n");
    assert_eq!(stand.call("broken", "a").await.code, Code::ExecutionError);
    assert_eq!(stand.call("broken", "b").await.code, Code::TaskAborted);
    assert!(stand.run(&["tasks", "list"]).text().contains("all tasks of the session"));
    let listed = &stand.run(&["tasks", "list", "--json"]).json()[0];
    assert_eq!((listed["session"].as_str(), listed["reach"].as_str()), (Some("session-1"), Some("session")));
    let other = stand.run(&["tasks", "resume", "session-2", "--by", "ann"]);
    assert!(other.error(1).contains("nothing is stopped in session `session-2`"), "{other:?}");
    let resumed = stand.run(&["tasks", "resume", "session-1", "--task", "T-1", "--by", "ann"]);
    assert!(resumed.text().starts_with("ann lets effectful calls of task `T-1`"), "{resumed:?}");
    assert_eq!(stand.call("broken", "c").await.code, Code::ExecutionError);
    let json = &stand.run(&["tasks", "resume", "session-1", "--json"]).json()[0];
    assert_eq!((&json["resumed"], json["by"].as_str()), (&1.into(), Some("olga")));
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_finds_a_healthy_file_healthy() {
    let stand = Stand::new().await;
    stand.ticket("orders").await;
    let text = stand.run(&["doctor"]);
    for part in [
        "healthy: no fault found in the file, the whole chain",
        "sqlite_version",
        "pending tickets  1  -- people are asked",
        "open stops       0\n",
    ] {
        assert!(text.text().contains(part), "{part}: {}", text.out);
    }
    let json = &stand.run(&["doctor", "--json"]).json()[0];
    assert_eq!((&json["healthy"], &json["pending_tickets"]), (&true.into(), &1.into()), "{json}");
    assert!(json["facts"]["calls"].is_u64() && json["facts"]["sqlite_version"].is_string(), "{json}");
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_tells_faults() {
    let stand = Stand::new().await;
    let _ = stand.call("look", "orders").await;
    let key = stand.dir().join("gate.db.key");
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).unwrap();
    let exposed = stand.run(&["doctor"]);
    assert!(
        exposed.code == 1 && exposed.out.contains("fault: ") && exposed.out.contains("set it to 600"),
        "{exposed:?}"
    );
    let json = stand.run(&["doctor", "--json"]);
    assert_eq!((json.code, &json.lines_of_json()[0]["healthy"]), (1, &false.into()));
    let list = stand.run(&["audit", "list"]);
    assert!(list.error(2).contains("can't be opened"), "{list:?}");
    std::fs::write(stand.dir().join("other.db"), "not a database at all, but long enough to look").unwrap();
    let other = run(plain(&["doctor", "--db"]).arg(stand.dir().join("other.db")));
    assert!(other.code == 1 && other.out.contains("fault: "), "{other:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_pipe_is_no_panic() {
    let stand = Stand::new().await;
    for number in 0..300 {
        let _ = stand.call("look", &format!("service-{number}")).await;
    }
    for args in [&["audit", "list", "--limit", "300", "--json"][..], &["audit", "list", "--limit", "300"]] {
        let mut child = stand.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        assert!(!first.is_empty());
        let ended = child.wait_with_output().unwrap();
        assert_eq!((ended.status.code(), ended.stderr.len()), (Some(0), 0), "{ended:?}");
    }
}
