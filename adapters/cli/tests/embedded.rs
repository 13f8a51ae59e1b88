//! The commands inside an agent's binary: the example `agent`.

#![expect(clippy::unwrap_used, reason = "tests may panic")]

mod common;

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use common::{Ran, agent, plain, run};

static COUNT: AtomicU32 = AtomicU32::new(0);

/// The agent with a database of its own.
struct Agent(PathBuf);

impl Agent {
    fn new() -> Self {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("toolgate-agent-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        Self(dir)
    }

    fn command(&self, args: &[&str]) -> Command {
        agent(&self.0, args)
    }

    fn run(&self, args: &[&str]) -> Ran {
        run(&mut self.command(args))
    }

    fn file(&self, text: &str) -> String {
        let path = self.0.join("cases.json");
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn tools_are_listed_with_their_facts() {
    let agent = Agent::new();
    let text = agent.run(&["tools"]);
    for part in ["look", "read", "restart", "dangerous", "tool:restart", "once", "10s", "Restart {name}."] {
        assert!(text.text().contains(part), "{part}: {}", text.out);
    }
    let json = agent.run(&["tools", "--json"]).json();
    let restart = json.iter().find(|tool| tool["name"] == "restart").unwrap();
    assert_eq!((restart["risk"].as_str(), &restart["confirm"]), (Some("dangerous"), &true.into()), "{restart}");
    assert_eq!(restart["schema"]["required"][0], "name");
    let schema = agent.run(&["tools", "--schema", "restart"]);
    assert!(schema.text().contains("Destructive") && schema.text().contains("\"required\""), "{}", schema.out);
    let json = &agent.run(&["tools", "--schema", "look", "--json"]).json()[0];
    assert_eq!(json["schema"]["type"], "object");
    let unknown = agent.run(&["tools", "--schema", "lok"]);
    assert!(unknown.error(1).contains("no tool `lok` here, there are: look, restart"), "{unknown:?}");
}

#[test]
fn a_call_passes_the_whole_gate_and_is_confirmed_from_another_process() {
    let agent = Agent::new();
    let refused = agent.run(&["call", "restart", r#"{"name":"orders"}"#]);
    assert!(refused.code == 1 && refused.out.starts_with("PRECONDITION_FAILED at precondition"), "{refused:?}");
    let seen = &agent.run(&["call", "look", r#"{"name":"orders"}"#, "--json"]).json()[0];
    assert_eq!(seen["data"]["status"], "unhealthy");
    let restart = ["call", "restart", r#"{"name":"orders"}"#, "--json", "--operation", "op-1"];
    let waiting = agent.run(&restart);
    let ticket = waiting.lines_of_json()[0]["details"]["ticket"].as_str().unwrap().to_owned();
    let approved = run(plain(&["approvals", "approve", &ticket, "--db"]).arg(agent.0.join("agent.db")));
    assert!(approved.text().starts_with("approved by olga"), "{approved:?}");
    let resumed = agent.run(&["resume", &ticket, "--json"]);
    assert_eq!(resumed.json()[0]["code"], "OK", "the stored call, by its ticket");
    assert_eq!(resumed.json()[0]["call_id"], waiting.lines_of_json()[0]["call_id"]);
    assert_eq!(agent.run(&restart).json()[0]["code"], "IDEMPOTENT_REPLAY");
    assert!(agent.run(&["audit", "list"]).text().contains("IDEMPOTENT_REPLAY"), "the gate's own store is the default");
    assert!(agent.run(&["doctor"]).text().contains("healthy"));
}

#[test]
fn only_an_answered_ticket_of_this_agent_is_resumed() {
    let agent = Agent::new();
    let none = agent.run(&["resume", "ticket_none"]);
    assert!(none.error(1).contains("no ticket `ticket_none`"), "{none:?}");
    agent.run(&["call", "look", r#"{"name":"orders"}"#]).text();
    let waiting = agent.run(&["call", "restart", r#"{"name":"orders"}"#, "--json"]);
    let ticket = waiting.lines_of_json()[0]["details"]["ticket"].as_str().unwrap().to_owned();
    let pending = agent.run(&["resume", &ticket]);
    assert!(pending.code == 1 && pending.out.starts_with("CONFIRMATION_REQUIRED"), "{pending:?}");
    let other = agent.run(&["resume", &ticket, "--task", "T-2"]);
    assert!(other.error(2).contains("task `T-1`: this agent has one task, `T-1`"), "{other:?}");
    agent.run(&["approvals", "deny", &ticket]).text();
    let denied = agent.run(&["resume", &ticket]);
    assert!(denied.code == 1 && denied.out.starts_with("CONFIRMATION_DENIED"), "{denied:?}");
}

#[test]
fn the_agents_commands_look_at_its_own_store_whatever_the_environment_says() {
    let agent = Agent::new();
    agent.run(&["call", "look", r#"{"name":"orders"}"#]).text();
    for args in [&["audit", "list"][..], &["approvals", "list"], &["doctor"]] {
        let ran = run(agent.command(args).env("TOOLGATE_DB", "/nowhere/gate.db"));
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    }
    let db = agent.run(&["call", "look", "{}", "--db", "other.db"]);
    assert!(db.error(2).contains("leave `--db` out"), "{db:?}");
}

#[test]
fn problems_are_told_once_and_a_line_each() {
    let agent = Agent::new();
    let wrong = agent.run(&["call", "look", r#"{"nme": 7}"#]);
    assert_eq!(wrong.code, 1);
    let lines: Vec<&str> = wrong.out.lines().skip(1).collect();
    let told = [
        "the arguments are not what the tool takes, 2 problems:",
        "- /name: required and missing, expected a string",
        "- /nme: no such argument; known are `name`; did you mean `name`?",
        "  rule: schema.required",
    ];
    assert_eq!(lines, told);
    let version = agent.run(&["--version"]);
    assert!(version.text().starts_with("toolgate-cli "), "{version:?}");
}

#[test]
fn arguments_come_from_stdin_and_names_of_other_tasks_are_refused() {
    let agent = Agent::new();
    let mut child =
        agent.command(&["call", "look", "-", "--json"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), br#"{"name":"billing"}"#).unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.json()[0]["data"]["name"], "billing");
    let other = agent.run(&["call", "look", "{}", "--task", "T-2"]);
    assert!(other.error(2).contains("one task, `T-1`"), "{other:?}");
}

#[test]
fn cases_pass_or_fail_by_codes() {
    let agent = Agent::new();
    let good = r#"
        {"name": "no look", "call": {"tool_name": "restart", "arguments": {"name": "a"}}, "expected": {"ok": false, "code": "PRECONDITION_FAILED", "stage": "precondition", "effect": "none"}}
        {"name": "look", "task": "T-1", "call": {"tool_name": "look", "arguments": {"name": "a"}}, "expected": {"ok": true, "code": "OK"}}
        {"name": "cut off", "call": {"tool_name": "look", "arguments": "{\"name\":"}, "expected": {"code": "MALFORMED_CALL"}}
        {"name": "no arguments", "call": {"tool_name": "look"}, "expected": {"code": "INVALID_ARGUMENT", "stage": "contract"}}
        {"name": "asks", "call": {"tool_name": "restart", "arguments": {"name": "a"}}, "expected": {"code": "CONFIRMATION_REQUIRED", "rule": "confirm.pending"}}
    "#;
    let passed = agent.run(&["replay", &agent.file(good)]);
    assert!(passed.text().ends_with("5 cases, 5 passed, 0 failed\n"), "{}", passed.out);
    let bad = r#"[{"name": "wrong", "call": {"tool_name": "lok", "arguments": {}}, "expected": {"ok": true, "code": "PERMISSION_DENIED"}}]"#;
    let failed = agent.run(&["replay", &agent.file(bad)]);
    assert_eq!(failed.code, 1);
    let part = "FAIL wrong: ok is false, expected true; code is TOOL_NOT_FOUND, expected PERMISSION_DENIED";
    assert!(failed.out.contains(part) && failed.out.ends_with("1 case, 0 passed, 1 failed\n"), "{}", failed.out);
    let json = agent.run(&["replay", &agent.file(bad), "--json"]);
    let lines = json.lines_of_json();
    assert_eq!((&lines[0]["pass"], &lines[0]["differences"]["code"]["got"]), (&false.into(), &"TOOL_NOT_FOUND".into()));
    assert_eq!((json.code, &lines[1]["failed"]), (1, &1.into()));
}

#[test]
fn cases_that_cannot_be_meant_are_refused() {
    let agent = Agent::new();
    for (text, says) in [
        ("", "holds no case"),
        ("{", "EOF"),
        (r#"{"name": "a", "call": {"tool_name": "look"}, "expected": {}}"#, "says nothing"),
        (r#"{"name": "a", "call": {"tool_name": "look"}, "expected": {"code": "FINE"}}"#, "`expected.code` is `FINE`"),
        (r#"{"name": "a", "call": {"tool_name": "look"}, "expected": {"message": "x"}}"#, "unknown field `message`"),
        (r#"{"name": "a", "call": {"tool": "look"}, "expected": {"ok": true}}"#, "unknown field `tool`"),
    ] {
        let ran = agent.run(&["replay", &agent.file(text)]);
        assert!(ran.error(2).contains(says), "{says}: {ran:?}");
    }
    let gone = agent.run(&["replay", "/nowhere/cases.json"]);
    assert!(gone.error(2).contains("can't be read"), "{gone:?}");
}

#[test]
fn without_an_agent_there_are_no_tools() {
    for args in [&["tools"][..], &["call", "look", "{}"], &["replay", "cases.json"]] {
        let ran = run(&mut plain(args));
        assert!(ran.error(2).contains("run this inside your agent's binary"), "{ran:?}");
    }
}

#[test]
fn the_agents_own_commands_stand_beside_toolgates() {
    let agent = Agent::new();
    let work = agent.run(&["work"]);
    assert!(
        work.text().contains("restart: CONFIRMATION_REQUIRED") && work.text().contains("TOOL_NOT_FOUND"),
        "{work:?}"
    );
    let help = agent.run(&["--help"]);
    assert!(help.text().contains("work") && help.text().contains("approvals"), "{}", help.out);
}

#[test]
fn tools_are_printed_as_a_provider_takes_them() {
    let agent = Agent::new();
    for (dialect, pointer) in [
        ("openai", "/0/function/parameters/properties/name"),
        ("openai-strict", "/0/function/parameters/properties/name"),
        ("anthropic", "/0/input_schema/properties/name"),
        ("anthropic-strict", "/0/input_schema/properties/name"),
        ("gemini", "/0/functionDeclarations/0/parameters/properties/name"),
        ("mcp", "/0/inputSchema/properties/name"),
    ] {
        let shown = agent.run(&["tools", "--dialect", dialect, "--schema", "restart"]);
        // What the form can't hold is said on stderr.
        assert_eq!(shown.code, 0, "{shown:?}");
        let tools: serde_json::Value = serde_json::from_str(&shown.out).unwrap();
        assert!(tools.pointer(pointer).is_some(), "{dialect}: {tools}");
        let json = &agent.run(&["tools", "--dialect", dialect, "--schema", "restart", "--json"]).json()[0];
        assert_eq!((&json["tools"], json["dialect"].as_str()), (&tools, Some(dialect)));
        assert!(json["notes"].is_array() && json["refused"].as_array().unwrap().is_empty(), "{json}");
    }
    let strict = &agent.run(&["tools", "--dialect", "openai-strict", "--json"]).json()[0];
    assert!(strict["notes"].to_string().contains("at most 10000 characters"), "{strict}");
    let unknown = agent.run(&["tools", "--dialect", "opnai"]);
    assert!(unknown.error(2).contains("expected one of: openai, openai-strict"), "{unknown:?}");
}
