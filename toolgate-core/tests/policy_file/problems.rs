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

#[test]
fn a_slip_of_syntax_is_told_once_at_its_place() {
    let slips = [
        ("[task.a]\ntools = [\"look\"\nrisks = [\"read\"]\npermissions = [\"*\"]\n[limits]\ncalls = 1\n", 3),
        ("[task.a]\ntools = \"look\nrisks = [\"read\"]\n[limits]\ncalls = 1\n", 2),
        ("[task.a\ntools = [\"look\"]\n[limits]\ncalls = 1\n", 1),
        ("[task.a]\ntools [\"look\"]\nrisks = [\"read\"]\n", 2),
        ("[task.a]\ntools = [look]\nrisks = [\"read\"]\n", 2),
        ("[task.a]\ntools = [\"look\"] risks = [\"read\"]\n", 2),
        ("[task.a]\nrequires_approval = { risks = [\"write\"], approvers = }\n", 2),
    ];
    for (text, line) in slips {
        let found = only(text);
        assert_eq!((found.0, found.3), (line, "policy.syntax"), "{text}: {}", wrong(text));
    }
}

#[test]
fn a_key_that_stands_twice_names_the_line_of_the_first() {
    let twice = |text: &str| {
        let error = wrong(text);
        let told = |line: usize, message: &str| format!("{line}: {message}");
        error.problems.iter().map(|problem| told(problem.line, &problem.message)).collect::<Vec<_>>()
    };
    let first = "[task.b]\ntools = []\n[task.a]\ntools = [\"look\"]\n\ntools = [\"scale\"]\n";
    assert_eq!(twice(first), ["6: the key tools stands twice; it stands first in line 4"]);
    let table = "[limits]\ncalls = 1\n[task.a]\n[task.a.limits]\ncalls = 2\n[limits]\nbytes = 1\n";
    assert_eq!(twice(table), ["6: the key limits stands twice; it stands first in line 1"]);
    let quoted = "[task.\"a\"]\ntools = []\n[task.a]\n";
    assert_eq!(twice(quoted), ["3: the key a stands twice; it stands first in line 1"]);
    let inline = "[task.a]\nlimits = { calls = 1,\n  rate = \"1/s\", calls = 2 }\n";
    assert_eq!(twice(inline), ["3: the key calls stands twice; it stands first in line 2"]);
    let both = "[task.a]\ntools = []\ntools = []\nrisks = []\nrisks = []\n";
    assert_eq!(twice(both).len(), 2);
}

#[test]
fn an_example_names_a_type_of_task_that_the_file_has_or_one_that_is_like_none() {
    let example = |task: &str, expect: &str| {
        format!(
            "[task.change]\ntools = [\"*\"]\n[[example]]\nname=\"e\"\ntask=\"{task}\"\nexpect=\"{expect}\"\n\
             call={{tool=\"look\",arguments={{service=\"a\"}}}}"
        )
    };
    let told = |task: &str, expect: &str| {
        let found = only(&example(task, expect));
        (found.0, found.3, found.4)
    };
    assert_eq!(told("chnage", "allow"), (5, "policy.unknown_task", Some("change".to_owned())));
    assert_eq!(told("chnage", "deny"), (5, "policy.unknown_task", Some("change".to_owned())));
    assert_eq!(told("gardening", "ask"), (5, "policy.unknown_task", None));
    crate::support::file(&example("gardening", "deny"));
}

#[test]
fn what_stands_of_hosts_and_credentials_is_checked_at_its_place() {
    for (more, rule, column) in [
        ("hosts = [{ host = \"*.corp.example\", networks = [\"10.0.0.0/33\"] }]", "policy.host", 10),
        ("hosts = [{ host = \"a.example\", networks = [] }]", "policy.empty_list", 43),
        ("hosts = [{ host = \"a.example\", scheme = \"htps\" }]", "policy.unknown_word", 41),
        ("hosts = [{ host = \"a.example\", port = 70000 }]", "policy.kind", 39),
        ("hosts = [{ host = \"a.example\", prot = 1 }]", "policy.unknown_key", 32),
        ("hosts = [{ port = 1 }]", "policy.missing_key", 10),
        ("hosts = [{ address = \"10.0.0\" }]", "policy.host", 22),
        ("hosts = [7]", "policy.kind", 10),
        ("hosts = [\"a.example\", { host = \"a.example\" }]", "policy.twice", 23),
        ("credentials = \"deploy\"", "policy.kind", 15),
        ("credentials = [\"*\"]", "policy.credential", 16),
        ("credentials = { deploy = [] }", "policy.empty_list", 17),
        ("credentials = { deploy = [\"scael\"] }", "policy.unknown_tool", 27),
        ("credentials = { deploy = [\"*le\"] }", "policy.pattern", 27),
    ] {
        let error = wrong(&with(more));
        let found: Vec<_> = error.problems.iter().map(|problem| (problem.line, problem.column, problem.rule)).collect();
        assert!(found.contains(&(3, column, rule)), "{more}: {error}");
    }
}
