//! Mistakes in policy files: each is told at its line and column, with the nearest name, and all of them at once.

use crate::support::wrong;

/// A task that grants everything these tests need, then the rest.
fn with(more: &str) -> String {
    format!("[task.a]\ntools = [\"*\"]\n{more}")
}

/// Line, column, length, rule and nearest name of the only problem.
fn only(text: &str) -> (usize, usize, usize, &'static str, Option<String>) {
    let error = wrong(text);
    assert_eq!(error.problems.len(), 1, "{error}");
    let problem = &error.problems[0];
    (problem.line, problem.column, problem.length, problem.rule, problem.nearest.clone())
}

#[test]
fn a_problem_is_shown_with_its_line_and_a_caret() {
    let error = wrong("[task.a]\n  tools = [\"look\", \"scael\"]\n");
    let shown = "there is no tool `scael` in this toolset; did you mean `scale`? (policy.unknown_tool)\n \
                 --> policy:2:20\n  |\n2 |   tools = [\"look\", \"scael\"]\n  |                    ^^^^^^^";
    assert_eq!(error.to_string(), shown);
}

#[test]
fn every_mistake_is_told_at_once_in_the_order_of_the_text() {
    let error = wrong("nam = \"x\"\n[task.a]\nrisks = [\"raed\"]\n[limits]\nrate = \"fast\"\n[[rule]]\nid = \"r\"\n");
    let found: Vec<(usize, &str)> = error.problems.iter().map(|problem| (problem.line, problem.rule)).collect();
    let expected = [
        (1, "policy.unknown_key"),
        (3, "policy.unknown_word"),
        (5, "policy.rate"),
        (6, "policy.missing_key"),
        (6, "policy.missing_key"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn an_unknown_name_has_the_nearest_known_one() {
    for (text, rule, near) in [
        (with("permisions = []"), "policy.unknown_key", "permissions"),
        (with("risks = [\"dangrous\"]"), "policy.unknown_word", "dangerous"),
        (with("permissions = [\"write:servce\"]"), "policy.unknown_permission", "write:service"),
        (with("[controls]\nrule = \"warn\""), "policy.unknown_key", "rules"),
        (with("[controls]\nrules = \"warm\""), "policy.unknown_word", "warn"),
        (with("[tool.scael]"), "policy.unknown_tool", "scale"),
        (
            with("[lists]\nnames = [\"x\"]\n[tool.look.arguments.service]\nin = \"nams\""),
            "policy.unknown_list",
            "names",
        ),
        (with("[lists]\nn = [\"x\"]\n[tool.look.arguments.servce]\nin = \"n\""), "policy.unknown_argument", "service"),
        (with("[[rule]]\nid=\"r\"\nverdict=\"dney\"\nreason=\"x\""), "policy.unknown_word", "deny"),
        (with("[[rule]]\nid=\"r\"\nverdict=\"deny\"\nreason=\"x\"\ntasks=[\"aa\"]"), "policy.unknown_task", "a"),
        (with("[[rule]]\nid=\"r\"\nverdict=\"deny\"\nreason=\"x\"\ntools=[\"scael\"]"), "policy.unknown_tool", "scale"),
        (
            with("[[example]]\nname=\"e\"\ntask=\"a\"\nexpect=\"deny\"\ncall={tool=\"lok\"}"),
            "policy.unknown_tool",
            "look",
        ),
    ] {
        let found = only(&text);
        assert_eq!((found.3, found.4.as_deref()), (rule, Some(near)), "{text}");
    }
}

#[test]
fn a_mistake_in_a_condition_is_at_its_part() {
    let rule = |when: &str| {
        with(&format!("[[rule]]\nid = \"r\"\nverdict = \"deny\"\nreason = \"x\"\ntools = [\"scale\"]\n{when}"))
    };
    assert_eq!(only(&rule("when = \"args.cuont > 5\"")).0, 8);
    let word = wrong(&rule("when = \"has(args.zone) && args.zone == 'esat'\"")).problems[0].clone();
    assert_eq!((word.line, word.column, word.length), (8, 40, 6), "{word}");
    let syntax = wrong(&rule("when = 'args.count >'")).problems[0].clone();
    assert_eq!((syntax.line, syntax.rule), (8, "policy.expression"));
    let lines = wrong(&rule("when = '''\nargs.count > 5 &&\n  args.nope == 1'''")).problems[0].clone();
    assert_eq!((lines.line, lines.column), (10, 3), "{lines}");
    let absent = only(&rule("when = \"args.zone == 'east'\""));
    assert_eq!((absent.0, absent.3), (8, "policy.absent"));
    let escaped = only(&rule("when = \"args.service == \\\"a\\\" && args.nope\""));
    assert_eq!((escaped.0, escaped.1), (8, 8), "a text with escapes is marked whole");
}

#[test]
fn values_that_can_mean_nothing_are_refused() {
    for (text, rule) in [
        (String::new(), "policy.allows_nothing"),
        ("[task.a]\ntools = [\"l*k\"]".to_owned(), "policy.pattern"),
        (with("readable = [\"../x\"]"), "policy.folder"),
        (with("readable = [\"/etc\"]"), "policy.folder"),
        (with("hosts = [\"https://a.example\"]"), "policy.host"),
        (with("hosts = [\"a.example\", \"a.example\"]"), "policy.twice"),
        (with("requires_approval = { approvers = 2 }"), "policy.missing_key"),
        (with("requires_approval = { risks = [\"write\"], approvers = 0 }"), "policy.kind"),
        (with("[limits]\ncalls = -1"), "policy.kind"),
        (with("[limits]\nwall_time = 5"), "policy.kind"),
        (with("[limits]\nwall_time = \"5d\""), "policy.duration"),
        (with("[lists]\nempty = []"), "policy.empty_list"),
        (with("[lists]\nn = [\"x\"]\n[tool.scale.arguments.\"to.on\"]\nin = \"n\""), "policy.unlistable"),
        (with("[lists]\nn = [\"north\"]\n[tool.scale.arguments.zone]\nin = \"n\""), "policy.never"),
        (with("[[rule]]\nid=\"r r\"\nverdict=\"deny\"\nreason=\"x\""), "policy.rule_id"),
        (with("[[rule]]\nid=\"r\"\nverdict=\"deny\"\nreason=\" \""), "policy.no_reason"),
        (with("[[rule]]\nid=\"r\"\nverdict=\"deny\"\nreason=\"x\"\napprovers = 2"), "policy.approvers"),
        (
            with("[[rule]]\nid=\"r\"\nverdict=\"deny\"\nreason=\"x\"\ntools=[\"look\"]\nrisks=[\"write\"]"),
            "policy.never",
        ),
        (with("[[rule]]\nid=\"r\"\nverdict=\"deny\"\nreason=\"x\"\ntools=[]"), "policy.empty_list"),
        (with("[[rule]]\nid=\"r\"\nverdict=\"deny\"\nreason=\"x\"\nrisks=[]"), "policy.empty_list"),
        (with("[[rule]]\nid=\"r\"\nverdict=\"deny\"\nreason=\"x\"\ntasks=[]"), "policy.empty_list"),
        ("name = \"a b\"\n[task.a]".to_owned(), "policy.name"),
        ("[task.a]\ntools = 1".to_owned(), "policy.kind"),
        ("task = 1".to_owned(), "policy.kind"),
    ] {
        let rules: Vec<&str> = wrong(&text).problems.iter().map(|problem| problem.rule).collect();
        assert!(rules.contains(&rule), "{text}: {rules:?}");
    }
    let twice = with(&"[[rule]]\nid=\"r\"\nverdict=\"deny\"\nreason=\"x\"\n".repeat(2));
    assert_eq!(only(&twice).3, "policy.duplicate");
}

#[test]
fn a_wrong_name_where_a_condition_asks_who_said_it_is_told_at_its_place() {
    let rule = |when: &str| {
        with(&format!("[[rule]]\nid=\"r\"\nverdict=\"ask\"\nreason=\"x\"\ntools=[\"look\"]\nwhen=\"{when}\""))
    };
    for (when, column, length) in [
        ("!said(args.servce)", 13, 11),
        ("provenance(args.servce) == 'user'", 18, 11),
        ("task.taintd", 7, 11),
        ("siad(args.service)", 7, 4),
    ] {
        let (line, at, marked, _, _) = only(&rule(when));
        assert_eq!((when, line, at, marked), (when, 8, column, length));
    }
}
