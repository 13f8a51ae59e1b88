//! What files say of calls without a gate: explanations, examples and differences.

use serde_json::{Value, json};
use toolgate_core::policy::file::{ChangeKind, ExampleCall, Explanation, LayerAnswer, PolicyFile};
use toolgate_core::policy::{Mode, Policy as _};

use crate::support::{file, tools};

const FLEET: &str = "
[lists]
services = [\"orders\", \"billing\"]
ids = [1, 2]

[task.change]
tools = [\"look\", \"scale\", \"wipe\"]
risks = [\"read\", \"write\", \"dangerous\"]
permissions = [\"*\"]
requires_approval = { tools = [\"scale\"], approvers = 2 }
limits = { rate = \"10/min\" }

[task.look]
tools = [\"lo*\"]
risks = [\"read\"]
permissions = [\"read:*\"]

[tool.scale.arguments.service]
in = \"services\"

[tool.scale.arguments.\"to.id\"]
in = \"ids\"

[[rule]]
id = \"bulk\"
verdict = \"deny\"
tools = [\"scale\"]
when = \"args.count > 5\"
reason = \"a plan\"
";

fn ask(file: &PolicyFile, tool: &str, arguments: Value, task: &str) -> Explanation {
    file.explain(&tools(), &ExampleCall::new(tool, arguments, task)).unwrap()
}

fn told(found: &Explanation) -> (LayerAnswer, &str, u32) {
    (found.verdict, found.rule.as_str(), found.approvers)
}

#[test]
fn each_part_of_the_file_says_why() {
    let fleet = file(FLEET);
    let scale = |count: u32| ask(&fleet, "scale", json!({"service": "orders", "count": count}), "change");
    assert_eq!(told(&scale(2)), (LayerAnswer::Ask, "task.change.requires_approval", 2));
    assert_eq!(told(&scale(6)), (LayerAnswer::Deny, "bulk", 1));
    let bulk = scale(6).layers.into_iter().find(|layer| layer.rule == "bulk").unwrap();
    assert_eq!((bulk.answer, bulk.line, bulk.why.as_str()), (LayerAnswer::Deny, 24, "a plan"));
    assert_eq!(told(&ask(&fleet, "look", json!({"service": "x"}), "look")), (LayerAnswer::Allow, "task.look", 1));
    assert_eq!(told(&ask(&fleet, "wipe", json!({}), "change")).1, "confirm.pending", "what the tool asks itself");
    let refused = ask(&fleet, "scale", json!({"service": "orders", "count": 1}), "look");
    assert_eq!(told(&refused).1, "policy.permission, policy.risk, policy.tool");
    assert_eq!(told(&ask(&fleet, "look", json!({"service": "x"}), "gardening")), (LayerAnswer::Deny, "policy.task", 1));
}

#[test]
fn every_value_of_a_listed_argument_counts_and_what_is_left_out_does_not() {
    let fleet = file(FLEET);
    let scale = |arguments: Value| ask(&fleet, "scale", arguments, "change").rule;
    assert_eq!(scale(json!({"service": "odrers", "count": 1})), "list.services");
    let to = |ids: &[u32]| {
        let to: Vec<Value> = ids.iter().map(|id| json!({"id": id})).collect();
        scale(json!({"service": "orders", "count": 1, "to": to}))
    };
    assert_eq!(
        (to(&[]).as_str(), to(&[1, 2]).as_str()),
        ("task.change.requires_approval", "task.change.requires_approval")
    );
    assert_eq!(to(&[1, 3]), "list.ids");
}

#[test]
fn arguments_that_the_tool_does_not_take_are_no_call() {
    let call = ExampleCall::new("scale", json!({"service": "orders"}), "change");
    assert!(file(FLEET).explain(&tools(), &call).unwrap_err().contains("count"));
}

#[test]
fn a_rule_that_allows_says_when() {
    let rule = "[[rule]]\nid=\"small\"\nverdict=\"allow\"\ntools=[\"scale\"]\nwhen=\"args.count < 3\"\nreason=\"few\"";
    let fleet = file(&format!("{FLEET}{rule}"));
    let scale = |count: u32| ask(&fleet, "scale", json!({"service": "orders", "count": count}), "change").rule;
    assert_eq!((scale(2).as_str(), scale(4).as_str()), ("task.change.requires_approval", "no_rule"));
    assert_eq!(ask(&fleet, "look", json!({"service": "x"}), "change").rule, "task.change", "others are as before");
}

#[test]
fn a_rule_that_allows_and_is_only_observed_takes_nothing_from_those_that_are_enforced() {
    let rule = |id: &str, mode: &str, when: &str| {
        format!(
            "[[rule]]\nid=\"{id}\"\nverdict=\"allow\"\nmode=\"{mode}\"\ntools=[\"scale\"]\nwhen=\"{when}\"\nreason=\"x\"\n"
        )
    };
    let (small, large) = (rule("small", "enforce", "args.count < 3"), rule("large", "observe", "args.count > 90"));
    let scale = |fleet: &PolicyFile, count: u32| {
        ask(fleet, "scale", json!({"service": "orders", "count": count}), "change").verdict
    };
    let without_bulk = FLEET.split("[[rule]]").next().unwrap();
    for order in [[&small, &large], [&large, &small]] {
        let both = file(&format!("{without_bulk}{}{}", order[0], order[1]));
        let said = [2, 4, 95].map(|count| scale(&both, count));
        assert_eq!(said, [LayerAnswer::Ask, LayerAnswer::Deny, LayerAnswer::Deny]);
    }
    let observed = file(&format!("{without_bulk}{large}"));
    assert_eq!(scale(&observed, 4), LayerAnswer::Ask, "where all are only observed, none is in the way");
}

#[test]
fn what_is_not_enforced_is_told_and_does_not_count() {
    let soft = FLEET.replace("id = \"bulk\"", "mode = \"warn\"\nid = \"bulk\"");
    let found = ask(&file(&soft), "scale", json!({"service": "orders", "count": 6}), "change");
    assert_eq!(found.verdict, LayerAnswer::Ask);
    assert_eq!((found.would_refuse[0].rule.as_str(), found.would_refuse[0].mode), ("bulk", Mode::Warn));
    let all = file(&format!("{FLEET}[controls]\ndefault = \"observe\"\n[tool.look.controls]\ntools = \"enforce\""));
    assert_eq!(ask(&all, "wipe", json!({}), "look").verdict, LayerAnswer::Allow);
    assert_eq!(ask(&all, "look", json!({"service": "x"}), "gardening").rule, "policy.task", "enforced for this tool");
}

#[test]
fn examples_pass_where_verdict_rule_and_people_are_as_they_say() {
    let example = |expect: &str| {
        format!(
            "{FLEET}\n[[example]]\nname = \"e\"\ntask = \"change\"\n\
             call = {{ tool = \"scale\", arguments = {{ service = \"orders\", count = 2 }} }}\n{expect}"
        )
    };
    let run = |expect: &str| file(&example(expect)).run_examples(&tools()).remove(0);
    assert!(run("expect = \"ask\"\napprovers = 2\nrule = \"task.change.requires_approval\"").passed);
    for wrong in ["expect = \"allow\"", "expect = \"ask\"\napprovers = 3", "expect = \"ask\"\nrule = \"bulk\""] {
        let result = run(wrong);
        assert!(!result.passed && result.got == "ask by 2 (task.change.requires_approval)", "{result:?}");
        assert!(result.why.contains("requires_approval") && result.line > 20, "{result:?}");
    }
}

#[test]
fn a_difference_says_what_is_granted_and_which_examples_come_out_otherwise() {
    let example = "\n[[example]]\nname = \"many\"\ntask = \"change\"\n\
                   call = { tool = \"scale\", arguments = { service = \"orders\", count = 6 } }\nexpect = \"deny\"\n";
    let old = file(&format!("{FLEET}{example}"));
    let new = FLEET.replace("args.count > 5", "args.count > 50").replace("\"lo*\"", "\"lo*\", \"wipe\"");
    let new = file(&new.replace("[\"orders\", \"billing\"]", "[\"orders\"]"));
    let diff = PolicyFile::diff(&old, &new, &tools());
    let changes: Vec<(ChangeKind, &str, Option<bool>)> =
        diff.changes.iter().map(|change| (change.kind, change.what.as_str(), change.widens)).collect();
    let expected = [
        (ChangeKind::Added, "task.look: tools: wipe", Some(true)),
        (
            ChangeKind::Changed,
            "rule `bulk`: deny tools scale when args.count > 5 -> deny tools scale when args.count > 50",
            None,
        ),
        (ChangeKind::Removed, "list `services`: billing", Some(false)),
    ];
    assert_eq!(changes, expected);
    let changed = &diff.examples[0];
    assert_eq!(
        (changed.before.as_str(), changed.after.as_str()),
        ("deny (bulk)", "ask by 2 (task.change.requires_approval)")
    );
    let same = file(&format!("# Written otherwise.\n{FLEET}"));
    assert_eq!(PolicyFile::diff(&same, &file(FLEET), &tools()).changes, []);
}

#[test]
fn credentials_and_networks_are_explained_and_compared() {
    let text =
        |more: &str| format!("[task.a]\ntools = [\"*\"]\nrisks = [\"read\", \"write\"]\npermissions = [\"*\"]\n{more}");
    let old = file(&text("credentials = [\"mail\"]\nhosts = [\"a.example\"]"));
    let new = file(&text(
        "credentials = { mail = [\"*\"], deploy = [\"scale\"] }\n\
         hosts = [{ host = \"a.example\", networks = [\"10.0.0.0/8\"] }, { address = \"10.0.0.5\", scheme = \"http\" }]",
    ));
    let of = |tool: &str, arguments: Value| -> Vec<String> {
        let found = ask(&new, tool, arguments, "a");
        let of_credentials = found.layers.iter().filter(|layer| layer.name == "credential");
        of_credentials.map(|layer| layer.why.clone()).collect()
    };
    let mail = "it may ask for the credential `mail`";
    assert_eq!(of("look", json!({"service": "a"})), [mail]);
    let both = ["it may ask for the credential `deploy`", mail];
    assert_eq!(of("scale", json!({"service": "a", "count": 1})), both);
    let diff = PolicyFile::diff(&old, &new, &tools());
    let changes: Vec<(String, Option<bool>)> =
        diff.changes.into_iter().map(|change| (change.what, change.widens)).collect();
    let expected = [
        ("task.a: hosts: http://10.0.0.5", Some(true)),
        ("task.a: hosts: https://a.example in 10.0.0.0/8", Some(true)),
        ("task.a: hosts: https://a.example", Some(false)),
        ("task.a: credentials: deploy for scale", Some(true)),
    ];
    assert_eq!(changes, expected.map(|(what, widens)| (what.to_owned(), widens)));
}

#[test]
fn examples_that_fail_bind_the_policy_unless_the_host_says_otherwise() {
    let example = |expect: &str| {
        let text = format!(
            "[task.a]\ntools = [\"look\"]\nrisks = [\"read\"]\npermissions = [\"*\"]\n[[example]]\nname = \"looks\"\n\
             task = \"a\"\ncall = {{ tool = \"look\", arguments = {{ service = \"x\" }} }}\nexpect = \"{expect}\""
        );
        file(&text)
    };
    assert!(example("allow").check(&tools()).is_empty());
    let faults = example("ask").check(&tools());
    let told = faults[0].to_string();
    assert_eq!(faults.len(), 1);
    assert!(told.contains("policy:5:") && told.contains("the example `looks` says ask"), "{told}");
    assert!(example("ask").without_examples().check(&tools()).is_empty());
}
