//! The review of an agent's tools by the command: the example `agent`.

#![expect(clippy::unwrap_used, reason = "tests may panic")]

mod common;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use common::{Ran, agent, plain, run};
use serde_json::Value;

static COUNT: AtomicU32 = AtomicU32::new(0);

/// A directory with the agent's database and files of allowances.
struct Desk(PathBuf);

impl Desk {
    fn new() -> Self {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("toolgate-lint-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        Self(dir)
    }

    fn lint(&self, args: &[&str]) -> Ran {
        run(&mut agent(&self.0, &[&["lint"], args].concat()))
    }

    fn allow(&self, name: &str, text: &str) -> Ran {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        self.lint(&["--allow", path.to_str().unwrap()])
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const ALLOWED: &str = r#"
# What `look` gives is described nowhere: it is declared at run time.
[[allow]]
rule = "condition.untyped"
at = "restart"
reason = "the fleet's own server checks what it sends"
"#;

#[test]
fn a_finding_is_an_answer_of_no() {
    let found = Desk::new().lint(&[]);
    assert_eq!((found.code, &*found.err), (1, ""), "{found:?}");
    assert!(
        found.out.starts_with("warning[condition.untyped] restart: its precondition reads `result.status` of `look`"),
        "{found:?}"
    );
    assert!(found.out.ends_with("\n1 found, 0 allowed\n"), "{found:?}");
}

#[test]
fn a_finding_that_is_allowed_with_a_reason_is_told_with_it() {
    let desk = Desk::new();
    let clean = desk.allow("allow.toml", ALLOWED);
    let text = clean.text();
    assert_eq!(
        text,
        "allowed[condition.untyped] restart: the fleet's own server checks what it sends\n0 found, 1 allowed\n"
    );
    let same = r#"{"allow": [{"rule": "condition.untyped", "at": "restart", "reason": "the server checks it"}]}"#;
    assert!(desk.allow("allow.json", same).text().ends_with("0 found, 1 allowed\n"));
}

#[test]
fn an_allowance_that_nothing_needs_is_found() {
    let stale =
        format!("{ALLOWED}[[allow]]\nrule = \"effect.no_impact\"\nat = \"restart\"\nreason = \"it has one now\"\n");
    let ran = Desk::new().allow("allow.toml", &stale);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.out.starts_with("warning[allow.stale] restart: `effect.no_impact` is allowed here, and nothing needs it"),
        "{ran:?}"
    );
}

#[test]
fn allowances_that_cannot_be_meant_end_the_command() {
    let desk = Desk::new();
    for (text, told) in [
        (ALLOWED.replace("untyped", "untypd"), "did you mean `condition.untyped`?"),
        (ALLOWED.replace("the fleet's own server checks what it sends", " "), "has no reason"),
        (ALLOWED.replace("reason =", "reson ="), "unknown field `reson`"),
        (ALLOWED.replace("[[allow]]", "[[allow]"), "at line 3"),
        ("rule = 1".to_owned(), "unknown field `rule`"),
    ] {
        let ran = desk.allow("allow.toml", &text);
        assert!(ran.error(2).contains(told), "{told}: {ran:?}");
    }
    assert!(desk.lint(&["--allow", "nowhere.toml"]).error(2).contains("the allowances `nowhere.toml` can't be read"));
}

#[test]
fn findings_are_objects_for_machines() {
    let desk = Desk::new();
    for args in [&["--format", "json"][..], &["--json"]] {
        let ran = desk.lint(args);
        assert_eq!(ran.code, 1, "{ran:?}");
        let lines = ran.lines_of_json();
        assert_eq!(lines.len(), 2);
        assert_eq!((&lines[0]["rule"], &lines[0]["at"]), (&"condition.untyped".into(), &"restart".into()));
        assert_eq!((&lines[0]["severity"], &lines[0]["allowed"]), (&"warning".into(), &Value::Null));
        assert_eq!(lines[1], serde_json::json!({"found": 1, "allowed": 0}));
    }
}

#[test]
fn rules_are_listed_without_any_tools() {
    let rules = run(&mut plain(&["lint", "--rules"]));
    assert!(rules.text().lines().any(|line| line.starts_with("arg.free_string_enum") && line.contains("warning")));
    let json = run(&mut plain(&["lint", "--rules", "--json"])).json();
    assert!(json.len() > 30 && json.iter().all(|rule| rule["about"].is_string()));
}

#[test]
fn a_program_without_tools_says_where_to_run_it() {
    assert!(run(&mut plain(&["lint"])).error(2).contains("run this inside your agent's binary"));
    assert!(Desk::new().lint(&["--db", "other.db"]).error(2).contains("leave `--db` out"));
}
