//! Policy files through the gate, on both stores: what a type of task is granted, rules, lists, controls that aren't
//! enforced yet, a shadow, and a file that is replaced while calls wait.

use std::sync::{Arc, Mutex};

use toolgate::alert::{Alert, AlertKind, AlertSink};
use toolgate::policy::file::PolicyFile;
use toolgate::policy::{CapabilityPolicy, Decision, Granted, Limit, Mode, Policy, PolicyRequest, Verdict};
use toolgate::store::CallRecord;
use toolgate::{
    BoxFuture, Capabilities, Code, MemoryStore, Narrowing, Risk, SessionOptions, Task, ToolCall, Workspace,
};

use super::support::{Bench, Folder, KINDS, Kind, World, builder, until};

/// Grants of a task of type `demo`, with more after them.
fn granting(tools: &str, risks: &str, more: &str) -> PolicyFile {
    let text = format!(
        "name = \"desk\"\n[task.demo]\ntools = [{tools}]\nrisks = [{risks}]\npermissions = [\"*\"]\n\
         readable = [\".\"]\nwritable = [\"out\"]\n{more}"
    );
    PolicyFile::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

fn all() -> PolicyFile {
    granting("\"*\"", "\"read\", \"write\", \"dangerous\"", "")
}

async fn bench(kind: Kind, policy: PolicyFile) -> Bench {
    Bench::with(kind, |builder| builder.policy(policy)).await
}

async fn newest(bench: &Bench) -> CallRecord {
    bench.calls().await[0].clone()
}

#[derive(Debug, Clone, Default)]
struct Heard(Arc<Mutex<Vec<Alert>>>);

impl AlertSink for Heard {
    fn tell<'a>(&'a self, alert: &'a Alert) -> BoxFuture<'a, Result<(), String>> {
        self.0.lock().unwrap().push(alert.clone());
        Box::pin(std::future::ready(Ok(())))
    }
}

impl Heard {
    async fn one_of(&self, kind: AlertKind) -> Alert {
        let found = || self.0.lock().unwrap().iter().find(|alert| alert.kind == kind).cloned();
        until("an alert", async || found().is_some()).await;
        found().unwrap()
    }
}

#[tokio::test]
async fn a_type_of_task_has_what_the_file_grants_it_and_the_record_names_the_version() {
    for kind in KINDS {
        let policy = granting("\"look\", \"put\"", "\"read\"", "");
        let version = format!("desk@{}", &policy.digest()[..12]);
        let bench = bench(kind, policy).await;
        assert_eq!(bench.call("look", r#"{"mode": "ok"}"#).await.code, Code::Ok);
        let record = newest(&bench).await;
        let said = record.policy.unwrap();
        assert_eq!((said.decision.as_str(), said.rule.as_str(), said.policy), ("allow", "task.demo", version));
        let put = bench.call("put", r#"{"path": "out/a", "text": "x"}"#).await;
        assert_eq!((put.code, put.rule()), (Code::PermissionDenied, Some("policy.risk")));
        assert_eq!(bench.call("huge", r#"{"words": 1}"#).await.code, Code::ToolNotFound);
        let names: Vec<&str> = bench.task.tools().iter().map(|tool| tool.spec.name).collect();
        assert_eq!(names, ["look", "read_result"], "what may not be called is not shown");
        bench.must_be_sound().await;
    }
}

#[tokio::test]
async fn a_type_of_task_that_is_not_in_the_file_gets_nothing() {
    let bench = bench(Kind::Memory, all()).await;
    let other = bench.session.task("other", "T-2");
    assert_eq!(other.call(ToolCall::new("look", r#"{"mode": "ok"}"#)).await.code, Code::ToolNotFound);
    assert_eq!(other.tools().len(), 1, "only reading on in what was given");
}

#[tokio::test]
async fn a_file_never_widens_what_the_host_granted() {
    let bench = bench(Kind::Memory, all()).await;
    let narrowed = bench.task.narrow(Narrowing::default().allow_tools(["look"]));
    assert_eq!(narrowed.call(ToolCall::new("huge", r#"{"words": 1}"#)).await.code, Code::ToolNotFound);
    let reads = bench.task.narrow(Narrowing::default().allow_risks([Risk::Read]));
    let put = reads.call(ToolCall::new("put", r#"{"path": "out/a", "text": "x"}"#)).await;
    assert_eq!(put.rule(), Some("policy.risk"));
}

fn by_policy(bench: &Bench) -> Task {
    let workspace = Workspace::open(bench.folder.0.join("ws")).unwrap();
    let options = SessionOptions::new("agent").user("ann").capabilities(Capabilities::by_policy());
    bench.gate.session(options.workspace(workspace)).unwrap().task("demo", "T-9")
}

#[tokio::test]
async fn a_session_may_leave_everything_to_the_file_and_to_no_other_policy() {
    let with_file = bench(Kind::Memory, granting("\"look\"", "\"read\"", "[controls]\ndefault = \"observe\"")).await;
    let task = by_policy(&with_file);
    assert_eq!(task.call(ToolCall::new("look", r#"{"mode": "ok"}"#)).await.code, Code::Ok);
    let huge = task.call(ToolCall::new("huge", r#"{"words": 1}"#)).await;
    assert_eq!(huge.code, Code::ToolNotFound, "nothing is behind a control that isn't enforced");

    let without = Bench::with(Kind::Memory, |builder| builder.policy(CapabilityPolicy)).await;
    let refused = by_policy(&without).call(ToolCall::new("look", r#"{"mode": "ok"}"#)).await;
    assert_eq!(refused.code, Code::ToolNotFound);
}

#[tokio::test]
async fn folders_of_the_file_hold_however_a_path_is_spelled() {
    let bench = bench(Kind::Memory, all()).await;
    std::fs::create_dir(bench.folder.file("out")).unwrap();
    let put = async |path: &str| bench.call("put", &format!(r#"{{"path": "{path}", "text": "x"}}"#)).await;
    assert_eq!(put("out/a").await.code, Code::Ok);
    for outside in ["a", "./a", "out/../a", "outer/a"] {
        assert_eq!(put(outside).await.code, Code::PathOutsideWorkspace, "{outside}");
    }
}

const RULES: &str = "
[[rule]]
id = \"no_secrets\"
verdict = \"deny\"
tools = [\"put\"]
when = \"args.text.contains('secret')\"
reason = \"secrets stay out of files\"

[[rule]]
id = \"small\"
verdict = \"allow\"
tools = [\"huge\"]
when = \"args.words < 10\"
reason = \"a short text\"

[[rule]]
id = \"loud\"
verdict = \"ask\"
tools = [\"act\"]
tasks = [\"demo\"]
reason = \"somebody should know\"
";

#[tokio::test]
async fn rules_deny_ask_and_say_when_a_granted_tool_may_be_called() {
    for kind in KINDS {
        let bench = bench(kind, granting("\"*\"", "\"read\", \"write\"", RULES)).await;
        std::fs::create_dir(bench.folder.file("out")).unwrap();
        let denied = bench.call("put", r#"{"path": "out/a", "text": "a secret"}"#).await;
        assert_eq!((denied.code, denied.rule()), (Code::PermissionDenied, Some("policy.rule")));
        assert_eq!(newest(&bench).await.policy.unwrap().rule, "no_secrets");
        assert_eq!(bench.call("put", r#"{"path": "out/a", "text": "fine"}"#).await.code, Code::Ok);
        assert_eq!(bench.call("huge", r#"{"words": 9}"#).await.code, Code::Ok);
        assert_eq!(bench.call("huge", r#"{"words": 10}"#).await.code, Code::PermissionDenied);
        assert_eq!(newest(&bench).await.policy.unwrap().rule, "no_rule");
        let asked = bench.call("act", r#"{"what": "x", "mode": "ok"}"#).await;
        assert_eq!(asked.code, Code::ConfirmationRequired);
        assert_eq!(bench.world.effects(), 1, "only the put ran");
    }
}

#[tokio::test]
async fn an_argument_that_is_in_no_list_is_refused_without_its_value() {
    let lists = "[lists]\nkinds = [\"ok\", \"slow\"]\n[tool.look.arguments.mode]\nin = \"kinds\"";
    let bench = bench(Kind::Memory, granting("\"look\"", "\"read\"", lists)).await;
    assert_eq!(bench.call("look", r#"{"mode": "ok"}"#).await.code, Code::Ok);
    let refused = bench.call("look", r#"{"mode": "CANARY"}"#).await;
    assert_eq!((refused.code, refused.rule()), (Code::PermissionDenied, Some("policy.not_in_list")));
    assert_eq!(refused.details["pointer"], "/mode");
    assert!(!format!("{} {:?}", refused.message, refused.details).contains("CANARY"));
    assert_eq!(newest(&bench).await.policy.unwrap().rule, "list.kinds");
}

#[tokio::test]
async fn what_is_only_observed_goes_on_and_the_record_says_what_enforcing_would_refuse() {
    for kind in KINDS {
        let observed = format!("[controls]\ndefault = \"observe\"\n{RULES}");
        let bench = bench(kind, granting("\"look\"", "\"read\"", &observed)).await;
        std::fs::create_dir(bench.folder.file("out")).unwrap();
        let put = bench.call("put", r#"{"path": "a", "text": "a secret"}"#).await;
        assert_eq!(put.code, Code::Ok);
        let record = newest(&bench).await;
        let rules: Vec<&str> = record.would_refuse.iter().map(|refusal| refusal.rule.as_str()).collect();
        assert_eq!(rules, ["no_secrets", "policy.tool", "policy.risk", "path.not_granted"]);
        assert!(record.would_refuse.iter().all(|refusal| refusal.mode == Mode::Observe));
        assert_eq!(bench.call("add", r#"{"line": "x"}"#).await.code, Code::Ok, "the tool's own question, too");
        let asked = newest(&bench).await.would_refuse;
        assert!(
            asked.iter().any(|refusal| (&*refusal.rule, &*refusal.verdict) == ("confirm.pending", "ask")),
            "{asked:?}"
        );
        let out = bench.call("put", r#"{"path": "../a", "text": "x"}"#).await;
        assert_eq!(out.code, Code::PathOutsideWorkspace, "where a path leads is no soft control");
        bench.must_be_sound().await;
    }
}

#[tokio::test]
async fn a_control_is_taken_on_for_one_tool_and_one_type_of_task_at_a_time() {
    let controls = format!(
        "{RULES}\n[controls]\nrules = \"observe\"\n[tool.huge.controls]\nrules = \"enforce\"\n[task.other]\n\
         tools = [\"*\"]\nrisks = [\"read\", \"write\"]\npermissions = [\"*\"]\nwritable = [\".\"]\n\
         [task.other.controls]\nrules = \"enforce\""
    );
    let bench = bench(Kind::Memory, granting("\"*\"", "\"read\", \"write\"", &controls)).await;
    std::fs::create_dir(bench.folder.file("out")).unwrap();
    let put = r#"{"path": "out/a", "text": "a secret"}"#;
    assert_eq!(bench.call("put", put).await.code, Code::Ok);
    assert_eq!(bench.call("huge", r#"{"words": 10}"#).await.code, Code::PermissionDenied);
    let other = bench.session.task("other", "T-2");
    assert_eq!(other.call(ToolCall::new("put", put)).await.code, Code::PermissionDenied);
}

#[tokio::test]
async fn a_control_that_warns_tells_the_alert_sinks() {
    let heard = Heard::default();
    let policy = granting("\"look\"", "\"write\"", "[controls]\nrisks = \"warn\"");
    let bench = Bench::with(Kind::Memory, |builder| builder.policy(policy).alert_sink(heard.clone())).await;
    assert_eq!(bench.call("look", r#"{"mode": "ok"}"#).await.code, Code::Ok);
    let alert = heard.one_of(AlertKind::Warning).await;
    assert_eq!(alert.tool, "look");
    assert!(alert.operator.unwrap().contains("policy.risk"));
}

#[tokio::test]
async fn a_shadow_is_recorded_beside_the_answer_and_changes_nothing() {
    for kind in KINDS {
        let shadow = granting("\"look\"", "\"read\"", "[task.demo.limits]\ncalls = 1");
        let bench = Bench::with(kind, |builder| builder.policy(all()).shadow_policy(shadow)).await;
        let say = async |tool: &str, arguments: &str| {
            let answer = bench.call(tool, arguments).await.code;
            let said = newest(&bench).await.shadow.unwrap();
            (answer, said.decision, said.rule)
        };
        let told = |code, decision: &str, rule: &str| (code, decision.to_owned(), rule.to_owned());
        assert_eq!(say("look", r#"{"mode": "ok"}"#).await, told(Code::Ok, "allow", "task.demo"));
        assert_eq!(say("look", r#"{"mode": "ok"}"#).await, told(Code::Ok, "deny", "limit.calls"));
        assert_eq!(say("huge", r#"{"words": 1}"#).await, told(Code::Ok, "deny", "policy.tool"));
    }
}

/// Panics in one of its methods.
#[derive(Debug)]
struct Odd(&'static str);

impl Policy for Odd {
    fn version(&self) -> String {
        assert_ne!(self.0, "version");
        "odd/1".to_owned()
    }

    fn decide(&self, _: &PolicyRequest<'_>) -> Decision {
        assert_ne!(self.0, "decide");
        Decision::new(Verdict::Allow, "odd", "it may")
    }

    fn reads_provenance(&self) -> bool {
        assert_ne!(self.0, "reads_provenance");
        true
    }

    fn grants<'p>(&'p self, _: &str, _: &str) -> Vec<Granted<'p>> {
        assert_ne!(self.0, "grants");
        Vec::new()
    }

    fn limits(&self, _: &str, _: &str) -> Vec<Limit> {
        assert_ne!(self.0, "limits");
        Vec::new()
    }
}

#[tokio::test]
async fn a_shadow_that_panics_changes_nothing() {
    for method in ["version", "decide", "reads_provenance", "grants", "limits"] {
        let bench = Bench::with(Kind::Memory, |builder| builder.policy(all()).shadow_policy(Odd(method))).await;
        assert_eq!(bench.call("look", r#"{"mode": "ok"}"#).await.code, Code::Ok, "{method}");
        let said = newest(&bench).await.shadow.unwrap();
        let rule = if method == "reads_provenance" { "odd" } else { "policy.error" };
        assert_eq!(said.rule, rule, "{method}");
    }
}

#[tokio::test]
async fn a_shadow_knows_where_values_come_from_though_the_policy_never_asks() {
    let rule = "[[rule]]\nid = \"all\"\nverdict = \"allow\"\nreason = \"others\"\n\
                [[rule]]\nid = \"said\"\nverdict = \"deny\"\ntools = [\"look\"]\n\
                when = \"said(args.mode)\"\nreason = \"the user said it\"";
    let shadow = granting("\"*\"", "\"read\"", rule);
    let bench = Bench::with(Kind::Memory, |builder| builder.policy(CapabilityPolicy).shadow_policy(shadow)).await;
    bench.task.user_said("is it ok?");
    assert_eq!(bench.call("look", r#"{"mode": "ok"}"#).await.code, Code::Ok);
    assert_eq!(newest(&bench).await.shadow.unwrap().rule, "said");
}

#[tokio::test]
async fn a_policy_is_replaced_for_the_next_call_and_for_calls_that_wait() {
    for kind in KINDS {
        let bench = bench(kind, all()).await;
        let asked = bench.call("add", r#"{"line": "x"}"#).await;
        let ticket = asked.details["ticket"].as_str().unwrap().to_owned();
        bench.decide(&ticket, true).await;
        bench.gate.reload_policy(granting("\"*\"", "\"read\"", "")).unwrap();
        let resumed = bench.task.resume(&ticket).await;
        assert_eq!((resumed.code, resumed.rule()), (Code::PermissionDenied, Some("policy.risk")));
        assert_eq!(bench.world.effects(), 0);
        bench.gate.reload_policy(all()).unwrap();
        assert_eq!(bench.task.resume(&ticket).await.code, Code::Ok, "the approval was not used up");
        bench.must_be_sound().await;
    }
}

#[tokio::test]
async fn a_policy_whose_own_examples_fail_is_not_taken_on_unless_the_host_says_so() {
    let heard = Heard::default();
    let bench = Bench::with(Kind::Memory, |builder| builder.policy(all()).alert_sink(heard.clone())).await;
    let before = bench.gate.policy_version();
    let example = "[[example]]\nname = \"looks\"\ntask = \"demo\"\ncall = { tool = \"look\", arguments = { mode = \"ok\" } }\n\
                   expect = \"deny\"";
    let failing = granting("\"*\"", "\"read\"", example);
    let error = bench.gate.reload_policy(failing.clone()).unwrap_err().to_string();
    assert!(error.contains("policy:8:") && error.contains("the example `looks` says deny"), "{error}");
    assert_eq!(bench.gate.policy_version(), before);
    assert!(heard.one_of(AlertKind::Policy).await.operator.unwrap().contains("policy.example"));
    let store = Arc::new(MemoryStore::new().unwrap());
    let built = builder(store, &World::default()).policy(failing.clone()).build().await;
    assert!(built.is_err_and(|error| error.to_string().contains("the example `looks`")));
    bench.gate.reload_policy(failing.without_examples()).unwrap();
    assert_ne!(bench.gate.policy_version(), before);
}

#[tokio::test]
async fn a_rule_that_compares_a_path_with_what_no_place_is_called_does_not_load() {
    let bench = bench(Kind::Memory, all()).await;
    let rule = |when: &str| {
        let rule =
            format!("[[rule]]\nid = \"r\"\nverdict = \"deny\"\ntools = [\"put\"]\nreason = \"x\"\nwhen = \"{when}\"");
        bench.gate.reload_policy(granting("\"*\"", "\"read\", \"write\"", &rule)).err().map(|error| error.to_string())
    };
    for (wrong, right) in [
        ("args.path == './out/a'", "write \"out/a\""),
        ("args.path != 'out//a'", "write \"out/a\""),
        ("args.path == 'out/'", "write \"out\""),
        ("args.path in ['a', '/etc/passwd']", "from the root of the workspace"),
        ("args.path.startsWith('./out/')", "write \"out/\""),
        ("args.path.startsWith('out/../')", "without `..`"),
        ("args.path.startsWith('./')", "leave the test out"),
        ("'./b' == args.path", "write \"b\""),
    ] {
        let error = rule(wrong).unwrap_or_else(|| panic!("{wrong} was taken on"));
        assert!(error.contains("policy.spelling") && error.contains(right), "{wrong}: {error}");
    }
    for right in
        ["args.path == 'out/a'", "args.path.startsWith('out/')", "args.path.startsWith('.env')", "args.text == './a'"]
    {
        assert_eq!(rule(right), None, "{right}");
    }
}

#[tokio::test]
async fn a_policy_that_does_not_fit_the_tools_changes_nothing_and_operators_hear_of_it() {
    let heard = Heard::default();
    let bench = Bench::with(Kind::Memory, |builder| builder.policy(all()).alert_sink(heard.clone())).await;
    let before = bench.gate.policy_version();
    let bad = granting("\"loook\"", "\"read\"", "");
    let error = bench.gate.reload_policy(bad).unwrap_err().to_string();
    assert!(error.contains("policy:3:10") && error.contains("did you mean `look`?"), "{error}");
    assert_eq!(bench.gate.policy_version(), before);
    assert_eq!(bench.call("look", r#"{"mode": "ok"}"#).await.code, Code::Ok);
    let alert = heard.one_of(AlertKind::Policy).await;
    assert!(alert.message.contains(&before) && alert.operator.unwrap().contains("loook"));
}

#[tokio::test]
async fn a_watched_file_is_taken_on_when_it_changes_and_a_bad_one_is_not() {
    let folder = Folder::new();
    let path = folder.file("policy.toml");
    let write = |tools: &str| {
        let text = format!("[task.demo]\ntools = [{tools}]\nrisks = [\"read\"]\npermissions = [\"*\"]\n");
        std::fs::write(&path, text).unwrap();
    };
    write("\"look\"");
    let heard = Heard::default();
    let file = PolicyFile::load(&path).unwrap();
    let bench = Bench::with(Kind::Memory, |builder| builder.policy(file).alert_sink(heard.clone())).await;
    let watch = bench.gate.watch_policy_file(&path, std::time::Duration::from_millis(50));
    let first = bench.gate.policy_version();
    write("\"look\", \"huge\"");
    until("the new file", async || bench.gate.policy_version() != first).await;
    assert_eq!(bench.call("huge", r#"{"words": 1}"#).await.code, Code::Ok);
    let second = bench.gate.policy_version();
    write("\"look\", ]]");
    heard.one_of(AlertKind::Policy).await;
    assert_eq!(bench.gate.policy_version(), second);
    drop(watch);
}
