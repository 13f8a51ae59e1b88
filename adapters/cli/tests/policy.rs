//! Policy files before they count: checked, explained, tested by their examples and compared, with the tools of the
//! example `agent` and without.

#![expect(clippy::unwrap_used, reason = "tests may panic")]

mod common;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicU32, Ordering};

use common::{Ran, agent, plain, run};
use serde_json::{Value, json};

static COUNT: AtomicU32 = AtomicU32::new(0);

/// A folder with policy files and the agent's database.
struct Desk(PathBuf);

impl Desk {
    fn new() -> Self {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("toolgate-policy-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        Self(dir)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// `policy ..` inside the agent's binary.
    fn agent(&self, args: &[&str]) -> Ran {
        run(&mut agent(&self.0, &[&["policy"], args].concat()))
    }

    /// `policy ..` of the program without tools.
    fn bare(args: &[&str]) -> Ran {
        run(&mut plain(&[&["policy"], args].concat()))
    }

    fn explain(&self, file: &str, args: &[&str]) -> Ran {
        self.agent(&[&["explain", file], args].concat())
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const FLEET: &str = r#"name = "fleet"

[lists]
services = ["orders", "billing"]

[task.inspection]
tools = ["look"]
risks = ["read"]
permissions = ["tool:look"]

[task.change]
tools = ["look", "restart"]
risks = ["read", "dangerous"]
permissions = ["tool:*"]
requires_approval = { risks = ["dangerous"], approvers = 2, reason = "two pairs of eyes" }

[tool.restart.arguments.name]
in = "services"

[[rule]]
id = "night"
verdict = "deny"
tools = ["restart"]
when = "user == 'night-shift'"
reason = "nobody restarts at night"
mode = "observe"

[[example]]
name = "a change needs two people"
task = "change"
call = { tool = "restart", arguments = { name = "orders" } }
expect = "ask"
approvers = 2

[[example]]
name = "no change in an inspection"
task = "inspection"
call = { tool = "restart", arguments = { name = "orders" } }
expect = "deny"
"#;

const RESTART: &[&str] = &["restart", r#"{"name": "orders"}"#];

#[test]
fn a_policy_for_these_tools_is_fine() {
    let desk = Desk::new();
    let file = desk.file("fleet.toml", FLEET);
    let checked = desk.agent(&["check", &file, &file]);
    assert!(checked.text().starts_with(&format!("fine {file} (fleet@")), "{checked:?}");
    assert!(checked.out.ends_with("2 files checked, 0 found\n") && !checked.out.contains("no tools"), "{checked:?}");
    let json = desk.agent(&["check", &file, "--json"]).json();
    assert_eq!((&json[0]["file"], &json[0]["problems"]), (&json!(file), &json!([])));
    assert!(json[0]["version"].as_str().unwrap().starts_with("fleet@"));
    assert_eq!(json[1], json!({"files": 1, "problems": 0, "tools": true}));
}

#[test]
fn every_problem_is_shown_at_its_place_with_what_was_meant() {
    let desk = Desk::new();
    let good = desk.file("fleet.toml", FLEET);
    let file = desk.file(
        "typo.toml",
        "[task.change]\ntools = [\"look\", \"restrat\"]\nrisks = [\"read\"]\npermissions = [\"tool:lok\"]\n",
    );
    let checked = desk.agent(&["check", &good, &file]);
    assert_eq!((checked.code, &*checked.err), (1, ""), "{checked:?}");
    let shown = format!(
        "error[policy.unknown_tool] {file}:2:18: there is no tool `restrat` in this toolset; did you mean `restart`?\n\
         2 | tools = [\"look\", \"restrat\"]\n  |                  ^^^^^^^^^\n\n"
    );
    assert!(checked.out.contains(&shown), "{checked:?}");
    assert!(checked.out.contains("did you mean `tool:look`?"), "{checked:?}");
    assert!(checked.out.starts_with("fine ") && checked.out.ends_with("2 files checked, 2 found\n"), "{checked:?}");
    let json = desk.agent(&["check", &file, "--json"]);
    assert_eq!(json.code, 1);
    let first = &json.lines_of_json()[0]["problems"][0];
    let place = ["line", "column", "length"].map(|part| first[part].as_u64().unwrap());
    assert_eq!(
        (place, &first["nearest"], &first["rule"]),
        ([2, 18, 9], &json!("restart"), &json!("policy.unknown_tool"))
    );
}

#[test]
fn without_tools_only_the_form_is_checked_and_that_is_said() {
    let desk = Desk::new();
    let file = desk.file("typo.toml", "[task.change]\ntools = [\"restrat\"]\n");
    let checked = Desk::bare(&["check", &file]);
    assert!(checked.text().contains("only the form was looked at"), "{checked:?}");
    assert_eq!(Desk::bare(&["check", &file, "--json"]).json()[1]["tools"], false);
    let file = desk.file("form.toml", "[task.change]\ntolls = []\n");
    let checked = Desk::bare(&["check", &file]);
    assert!(checked.code == 1 && checked.out.contains("did you mean `tools`?"), "{checked:?}");
}

#[test]
fn tools_that_an_agent_printed_elsewhere_are_enough_for_a_check() {
    let desk = Desk::new();
    let printed = run(&mut agent(&desk.0, &["tools", "--all", "--json"]));
    let tools = desk.file("tools.jsonl", printed.text());
    let (good, reader) =
        (desk.file("fleet.toml", FLEET), FLEET.replace("tools = [\"look\"]", "tools = [\"look\", \"read_result\"]"));
    let reader = desk.file("reader.toml", &reader);
    let fine = Desk::bare(&["check", &good, &reader, "--tools", &tools]);
    assert!(fine.text().ends_with("2 files checked, 0 found\n"), "{fine:?}");
    let wrong = FLEET.replace("[tool.restart.arguments.name]", "[tool.restart.arguments.nmae]");
    let wrong = desk.file("wrong.toml", &wrong);
    let found = Desk::bare(&["check", &wrong, "--tools", &tools]);
    assert!(
        found.code == 1 && found.out.contains("`restart` has no argument `nmae`; did you mean `name`?"),
        "{found:?}"
    );
    let broken = desk.file("broken.jsonl", "{\"name\": \"look\"}\n");
    assert!(Desk::bare(&["check", &good, "--tools", &broken]).error(2).contains("line 1: missing field `risk`"));
}

#[test]
fn what_stands_in_a_file_moves_no_cursor() {
    let desk = Desk::new();
    let hostile = "[task.\"x\\u001b[2J\"]\ntools = [\"\\u001b]0;owned\\u0007\", \"\u{202e}look\"] # \u{202e}\n";
    let hostile = desk.file("hostile\u{1b}[2J.toml", hostile);
    let old = desk.file("old.toml", FLEET);
    let named = FLEET
        .replace("a change needs two people", "a\\u001b[2J change")
        .replace("approvers = 2\n", "approvers = 3\n")
        .replace("approvers = 2,", "approvers = 4,")
        .replace("\"billing\"", "\"bill\\u001b[2Jing\"")
        .replace("two pairs of eyes", "\\u001b[2Jeyes");
    let named = desk.file("named.toml", &named);
    let commands: [&[&str]; 6] = [
        &["check", &hostile],
        &["test", &hostile],
        &["check", &named],
        &["test", &named],
        &["explain", &named, "--task", "change", "restart", r#"{"name": "orders"}"#],
        &["diff", &old, &named],
    ];
    for args in commands {
        // Styles are forced, as a stream without them would take the file's own sequences away, too.
        let args = [&["policy"], args].concat();
        let ran = run(agent(&desk.0, &args).env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR"));
        let said = format!("{}{}", ran.out, ran.err);
        let is_ours =
            |sequence: &str| sequence.starts_with('[') && sequence.trim_start_matches(['[', ';']).find('m') < Some(5);
        assert!(said.split('\u{1b}').skip(1).all(is_ours), "{args:?}: {ran:?}");
        assert!(!said.contains(['\u{7}', '\u{202e}']) && !said.contains("\u{1b}[2J"), "{args:?}: {ran:?}");
        if !args.contains(&"check") || args.contains(&&*hostile) {
            assert!(said.contains("\\u{1b}"), "it is shown escaped: {args:?}: {ran:?}");
        }
    }
}

#[test]
fn a_call_is_explained_part_by_part() {
    let desk = Desk::new();
    let file = desk.file("fleet.toml", FLEET);
    let asked = desk.explain(&file, &[&["--task", "change", "--user", "night-shift"], RESTART].concat());
    assert!(asked.text().starts_with("ask: "), "{asked:?}");
    assert!(asked.out.lines().next().unwrap().ends_with(", by 2 people"), "{asked:?}");
    let line =
        |part: &str| asked.out.lines().find(|line| line.contains(part)).unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!(line(" approval ")[..5], ["ask", "approval", "enforce", "15", "task.change.requires_approval"]);
    assert_eq!(line(" observe ")[..5], ["deny", "rule", "observe", "20", "night"]);
    assert!(asked.out.ends_with("1 of them would refuse or ask if they were enforced\n"), "{asked:?}");
    let denied = desk.explain(&file, &["--task", "change", "restart", r#"{"name": "odrers"}"#, "--json"]);
    assert_eq!(denied.code, 1);
    let denied = &denied.lines_of_json()[0];
    assert_eq!((&denied["verdict"], &denied["rule"]), (&json!("deny"), &json!("list.services")));
    assert_eq!((&denied["call"]["task"], &denied["call"]["user"]), (&json!("change"), &Value::Null));
    let layer = denied["layers"].as_array().unwrap().iter().find(|layer| layer["name"] == "list").unwrap();
    assert_eq!((&layer["answer"], &layer["mode"], &layer["line"]), (&json!("deny"), &json!("enforce"), &json!(17)));
}

#[test]
fn a_call_may_be_given_as_json_and_through_stdin() {
    let desk = Desk::new();
    let file = desk.file("fleet.toml", FLEET);
    let whole = r#"{"tool": "look", "arguments": {"name": "orders"}, "task": "inspection", "user": "ann"}"#;
    assert_eq!(desk.explain(&file, &[whole, "--json"]).json()[0]["verdict"], "allow");
    let as_sent = r#"{"name": "look", "arguments": "{\"name\": \"orders\"}"}"#;
    assert_eq!(desk.explain(&file, &["--task", "inspection", as_sent, "--json"]).json()[0]["verdict"], "allow");
    for (args, text) in [(&["-"][..], whole), (&["look", "-", "--task", "inspection"], r#"{"name": "orders"}"#)] {
        let args = [&["policy", "explain", &file, "--json"], args].concat();
        let mut command = agent(&desk.0, &args);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        assert_eq!(Ran::from(child.wait_with_output().unwrap()).json()[0]["verdict"], "allow");
    }
}

#[test]
fn what_is_no_call_is_told_with_what_was_meant() {
    let desk = Desk::new();
    let file = desk.file("fleet.toml", FLEET);
    let change = |args: &[&str]| desk.explain(&file, &[&["--task", "change"], args].concat());
    assert!(change(&["restrat", "{}"]).error(1).contains("no tool `restrat`; did you mean `restart`?"));
    assert!(change(&["restart", r#"{"nme": "orders"}"#]).error(1).contains("did you mean `name`?"));
    assert!(change(&["restart", "{"]).error(2).contains("the JSON can't be read"));
    assert!(change(&[r#"{"tool": "look", "argumens": {}}"#]).error(2).contains("unknown field `argumens`"));
    assert!(change(&[r#"{"tool": "look"}"#, "{}"]).error(2).contains("says its arguments already"));
    assert!(desk.explain(&file, RESTART).error(2).contains("the file has: change, inspection"));
    let other = desk.explain(&file, &[&["--task", "chnage"], RESTART].concat());
    assert!(other.code == 1 && other.out.contains("these types of tasks: change, inspection"), "{other:?}");
}

#[test]
fn examples_pass_or_fail_with_the_reason() {
    let desk = Desk::new();
    let file = desk.file("fleet.toml", FLEET);
    let passed = desk.agent(&["test", &file]);
    assert_eq!(
        passed.text(),
        format!(
            "{file}\na change needs two people ... ok\nno change in an inspection ... ok\n2 examples, 2 passed, 0 failed\n"
        )
    );
    let wrong = desk.file("wrong.toml", &FLEET.replace("expect = \"ask\"\napprovers = 2", "expect = \"allow\""));
    let failed = desk.agent(&["test", &file, &wrong]);
    assert_eq!((failed.code, &*failed.err), (1, ""), "{failed:?}");
    assert!(failed.out.contains("a change needs two people ... FAILED\n"), "{failed:?}");
    assert!(failed.out.contains(&format!("  {wrong}:28: expected allow, got ask by 2 (")), "{failed:?}");
    assert!(failed.out.contains("[task.change.requires_approval] (line 15)"), "{failed:?}");
    assert!(failed.out.ends_with("4 examples, 3 passed, 1 failed\n"), "{failed:?}");
    let json = desk.agent(&["test", &wrong, "--json"]).lines_of_json();
    assert_eq!(
        (&json[0]["passed"], &json[0]["expected"], &json[1]["passed"]),
        (&json!(false), &json!("allow"), &json!(true))
    );
    assert_eq!(json[2], json!({"files": 1, "examples": 2, "passed": 1, "failed": 1}));
}

#[test]
fn a_file_without_examples_says_so() {
    let desk = Desk::new();
    let file = desk.file("none.toml", "[task.inspection]\ntools = [\"look\"]\n");
    assert_eq!(desk.agent(&["test", &file]).text(), format!("{file}: no examples\n0 examples, 0 passed, 0 failed\n"));
}

#[test]
fn a_change_is_told_with_what_it_lets_through() {
    let desk = Desk::new();
    let old = desk.file("old.toml", FLEET);
    let wider = FLEET
        .replace(
            "tools = [\"look\"]\nrisks = [\"read\"]",
            "tools = [\"look\", \"restart\"]\nrisks = [\"read\", \"dangerous\"]",
        )
        .replace("permissions = [\"tool:look\"]", "permissions = [\"tool:*\"]")
        .replace("\"orders\", \"billing\"", "\"orders\"");
    let new = desk.file("new.toml", &wider);
    let diff = desk.agent(&["diff", &old, &new]);
    assert_eq!((diff.code, &*diff.err), (1, ""), "{diff:?}");
    let rows: Vec<Vec<&str>> = diff.out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(rows.contains(&vec!["added", "more", "task.inspection:", "tools:", "restart"]), "{diff:?}");
    assert!(rows.contains(&vec!["removed", "fewer", "list", "`services`:", "billing"]), "{diff:?}");
    assert!(diff.out.contains("example no change in an inspection: deny ("), "{diff:?}");
    assert!(diff.out.ends_with("5 changes, 3 let more through, 1 example is answered otherwise\n"), "{diff:?}");
    let json = desk.agent(&["diff", &old, &new, "--json"]).lines_of_json();
    let last = json.last().unwrap();
    assert_eq!((&last["changes"], &last["widening"], &last["examples"]), (&json!(5), &json!(3), &json!(1)));
    let added = json!({"change": "added", "what": "task.inspection: tools: restart", "widens": true});
    assert!(json.contains(&added), "{json:?}");
    let bare = Desk::bare(&["diff", &old, &new]);
    assert!(bare.code == 1 && bare.out.contains("the examples were not asked"), "{bare:?}");
}

#[test]
fn files_that_are_only_written_otherwise_say_the_same() {
    let desk = Desk::new();
    let old = desk.file("old.toml", FLEET);
    let new = desk.file("new.toml", &format!("# of the fleet\n{}", FLEET.replace("[\"read\"]", "[ \"read\" ]")));
    let same = desk.agent(&["diff", &old, &new]);
    assert!(same.text().ends_with("they say the same\n"), "{same:?}");
}

#[test]
fn a_policy_that_cannot_be_used_ends_the_command() {
    let desk = Desk::new();
    let good = desk.file("fleet.toml", FLEET);
    let typo = desk.file("typo.toml", "[task.change]\ntolls = []\nrisk = []\n");
    for args in [&["test", &good, &typo][..], &["diff", &good, &typo], &["explain", &typo, "look", "{}"]] {
        let told = desk.agent(args);
        assert!(told.error(2).contains(&format!("{typo}:2:1: ")), "{told:?}");
        assert!(told.err.contains("did you mean `tools`?") && told.err.contains("; 1 more"), "{told:?}");
    }
    for args in [&["check", "nowhere.toml"][..], &["test", "nowhere.toml"]] {
        assert!(desk.agent(args).error(2).contains("nowhere.toml: the file can't be read"));
    }
    for args in [&["test", &good][..], &["explain", &good, "look", "{}"]] {
        assert!(Desk::bare(args).error(2).contains("run this inside your agent's binary"));
    }
    assert!(desk.agent(&["check", &good, "--db", "gate.db"]).error(2).contains("leave `--db` out"));
}
