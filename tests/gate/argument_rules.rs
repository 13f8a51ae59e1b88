//! Rules on arguments as the gate enforces them, and those that no gate can be built with.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use toolgate::policy::{ArgumentRules, AskForRisks, Policy, Rule, Strictest};
use toolgate::store::CallFilter;
use toolgate::{
    Capabilities, Code, Gate, MemoryStore, ReadPath, Risk, SessionOptions, Task, ToolCall, ToolError, ToolResult,
    Workspace, tool, tool_type, toolset,
};

use super::support::Folder;

#[tool_type]
enum Environment {
    Production,
    Staging,
}

#[derive(Debug, Clone, Default)]
struct Scaled(Arc<AtomicU32>);

/// Runs so many instances of a service.
#[tool(risk = "write", idempotent)]
fn scale(
    #[state] scaled: &Scaled,
    /// Where it runs.
    environment: Environment,
    /// How many.
    #[arg(range = 0..=100)]
    count: u32,
    /// In which zone; in all if left out.
    zone: Option<String>,
) -> Result<u32, ToolError> {
    let _ = (environment, zone);
    scaled.0.store(count, Ordering::Relaxed);
    Ok(count)
}

/// Reads a note.
#[tool(risk = "read")]
fn note() -> Result<String, ToolError> {
    Ok("x".repeat(20_000))
}

struct Desk {
    gate: Gate,
    task: Task,
    scaled: Scaled,
}

async fn build(policy: impl Policy + 'static) -> Result<(Gate, Scaled), toolgate::BuildError> {
    let scaled = Scaled::default();
    let store = Arc::new(MemoryStore::new().unwrap());
    let builder = Gate::builder(store).tools(toolset![scale, note]).state(scaled.clone());
    Ok((builder.policy(policy).build().await?, scaled))
}

async fn desk(policy: impl Policy + 'static) -> Desk {
    let (gate, scaled) = build(policy).await.unwrap();
    let may =
        Capabilities::none().allow_tools(["scale", "note"]).allow_risks([Risk::Read, Risk::Write]).permissions(["*"]);
    let task = gate.session(SessionOptions::new("ops").user("ann").capabilities(may)).unwrap().task("change", "T-1");
    Desk { gate, task, scaled }
}

impl Desk {
    async fn scale(&self, arguments: &str) -> ToolResult {
        self.task.call(ToolCall::new("scale", arguments)).await
    }

    /// Decision, rule and reason of the newest record.
    async fn recorded(&self) -> (String, String, String) {
        let calls = self.gate.store().calls(&CallFilter::default()).await.unwrap();
        let policy = calls[0].policy.clone().unwrap();
        (policy.decision, policy.rule, policy.reason)
    }
}

fn rules() -> ArgumentRules {
    ArgumentRules::new("fleet/1")
        .rule(Rule::allow("reads", "a look changes nothing").risk(Risk::Read))
        .rule(Rule::allow("scale", "part of every change").tool("scale").when("task.type == 'change'"))
        .rule(Rule::ask("production", "customers use it").tool("scale").when("args.environment == 'production'"))
        .rule(
            Rule::deny("bulk", "more than five need a plan")
                .tool("scale")
                .when("args.environment == 'production' && args.count > 5"),
        )
}

fn told(decision: &str, rule: &str, reason: &str) -> (String, String, String) {
    (decision.to_owned(), rule.to_owned(), reason.to_owned())
}

#[tokio::test]
async fn a_call_is_allowed_asked_about_or_denied_by_its_arguments_and_the_record_says_why() {
    let desk = desk(rules()).await;
    assert_eq!(desk.scale(r#"{"environment": "staging", "count": 50}"#).await.code, Code::Ok);
    assert_eq!(desk.recorded().await, told("allow", "scale", "part of every change"));

    let asked = desk.scale(r#"{"environment": "production", "count": 5}"#).await;
    assert_eq!(asked.code, Code::ConfirmationRequired);
    assert_eq!(desk.recorded().await, told("ask", "production", "customers use it"));

    let denied = desk.scale(r#"{"environment": "production", "count": 6}"#).await;
    assert_eq!((denied.code, denied.rule()), (Code::PermissionDenied, Some("policy.rule")));
    assert!(!denied.message.contains("plan"), "the reason is the operator's: {}", denied.message);
    assert_eq!(desk.recorded().await, told("deny", "bulk", "more than five need a plan"));
    assert_eq!(desk.scaled.0.load(Ordering::Relaxed), 50, "only the allowed call ran");
}

#[tokio::test]
async fn what_no_rule_allows_is_denied_in_other_tasks_too() {
    let desk = desk(rules()).await;
    let look = desk.gate.session(SessionOptions::new("ops").capabilities(desk.task.capabilities().clone())).unwrap();
    let refused =
        look.task("inspection", "T-2").call(ToolCall::new("scale", r#"{"environment": "staging", "count": 1}"#)).await;
    assert_eq!(refused.code, Code::PermissionDenied);
    assert_eq!(desk.recorded().await, told("deny", "no_rule", "no rule allows this call"));
}

#[tokio::test]
async fn what_was_cut_can_be_read_on_under_rules_that_do_not_name_the_reader() {
    let desk = desk(rules()).await;
    let cut = desk.task.call(ToolCall::new("note", "{}")).await;
    let handle = cut.details["handle"].as_str().unwrap().to_owned();
    let more = desk.task.call(ToolCall::new("read_result", format!(r#"{{"handle": "{handle}"}}"#))).await;
    assert_eq!(more.code, Code::Ok, "{more:?}");
    assert_eq!(desk.recorded().await.1, "built_in");
}

#[tokio::test]
async fn rules_beside_another_policy_answer_as_the_stricter_of_both() {
    let all = ArgumentRules::new("all/1").rule(Rule::allow("all", "granted"));
    let desk = desk(Strictest::default().and(all).and(AskForRisks { risks: vec![Risk::Write] })).await;
    assert_eq!(desk.task.call(ToolCall::new("note", "{}")).await.code, Code::Ok);
    assert_eq!(desk.scale(r#"{"environment": "staging", "count": 1}"#).await.code, Code::ConfirmationRequired);
    let calls = desk.gate.store().calls(&CallFilter::default()).await.unwrap();
    assert_eq!(calls[0].policy.clone().unwrap().policy, "all/1 + ask_for_risks/1");
    assert_eq!(desk.recorded().await.1, "ask_for_risk");
}

async fn faults_of(rule: Rule) -> String {
    let policy =
        Strictest::default().and(ArgumentRules::new("fleet/1").rule(rule).rule(Rule::allow("rest", "granted")));
    build(policy).await.err().map(|error| error.to_string()).unwrap_or_default()
}

#[tokio::test]
async fn a_rule_on_what_no_tool_has_is_no_gate() {
    let deny = || Rule::deny("r", "no").tool("scale");
    assert_eq!(faults_of(deny().when("args.environment == 'production' && args.count > 5")).await, "");
    for (rule, fault) in [
        (deny().when("args.enviroment == 'production'"), "did you mean `environment`?"),
        (
            deny().when("args.environment == 'prodution'"),
            "is never \"prodution\": it is one of \"production\", \"staging\"",
        ),
        (deny().when("args.count == 'five'"), "never equal"),
        (deny().when("arg.count > 5"), "unknown variable `arg`"),
        (deny().when("task.kind == 'change'"), "has no field `kind`"),
        (deny().when("args.count"), "not a boolean"),
        (Rule::deny("r", "no").tool("scal"), "did you mean `scale`?"),
        (deny().risk(Risk::Read), "never says anything about `scale`, whose risk is `write`"),
        (deny().when("args.zone == 'a'"), "write `has(args.zone) && ..`"),
        (Rule::deny("r", "no").when("args.count > 5"), "`note` has no `count`"),
        (Rule::deny("r", " ").tool("scale"), "no reason"),
        (Rule::deny("a rule", "no").tool("scale"), "an id must be"),
    ] {
        let found = faults_of(rule).await;
        assert!(found.contains(fault) && found.contains("policy rule `"), "{fault}: {found}");
    }
}

#[tokio::test]
async fn a_guard_makes_a_rule_one_about_several_tools_and_optional_arguments() {
    assert_eq!(faults_of(Rule::deny("r", "no").when("has(args.count) && args.count > 5")).await, "");
    assert_eq!(faults_of(Rule::deny("r", "no").tool("scale").when("has(args.zone) && args.zone == 'a'")).await, "");
    assert_eq!(faults_of(Rule::deny("r", "no").tool("scale").when("'zone' in args && args.zone == 'a'")).await, "");
    let policy = ArgumentRules::new("fleet/2")
        .rule(Rule::allow("all", "granted"))
        .rule(Rule::deny("zone_a", "it is full").risk(Risk::Write).when("has(args.zone) && args.zone == 'a'"));
    let desk = desk(policy).await;
    let call = async |zone: &str| desk.scale(&format!(r#"{{"environment": "staging", "count": 1{zone}}}"#)).await.code;
    assert_eq!(call(r#", "zone": "a""#).await, Code::PermissionDenied);
    assert_eq!(call(r#", "zone": "b""#).await, Code::Ok);
    assert_eq!(call("").await, Code::Ok);
}

#[tokio::test]
async fn two_rules_of_one_id_are_no_gate() {
    let rules = ArgumentRules::new("fleet/1").rule(Rule::allow("r", "yes")).rule(Rule::deny("r", "no").tool("note"));
    let found = build(rules).await.unwrap_err().to_string();
    assert!(found.contains("policy rule `r`: a second rule of this id"), "{found}");
}

#[tokio::test]
async fn rules_of_which_none_allows_or_asks_are_no_gate() {
    for rules in [ArgumentRules::new("fleet/1"), ArgumentRules::new("fleet/1").rule(Rule::deny("r", "no").tool("note"))]
    {
        let found = build(rules).await.unwrap_err().to_string();
        assert!(found.contains("no rule allows anything") && found.contains("Rule::allow(..)"), "{found}");
    }
    assert!(build(ArgumentRules::new("fleet/1").rule(Rule::ask("r", "a person decides"))).await.is_ok());
}

#[tool_type(argument)]
struct Source {
    /// The file.
    path: ReadPath,
}

/// Reads files.
#[tool(risk = "read")]
fn look(
    /// One file.
    path: ReadPath,
    /// And more of them.
    more: Vec<Source>,
) -> Result<String, ToolError> {
    let mut text = path.read_to_string()?;
    for source in more {
        text += &source.path.read_to_string()?;
    }
    Ok(text)
}

async fn reader(folder: &Folder) -> Task {
    std::fs::create_dir(folder.file("d")).unwrap();
    std::fs::write(folder.file("prod.toml"), "secret").unwrap();
    std::fs::write(folder.file("test.toml"), "open").unwrap();
    std::os::unix::fs::symlink("../prod.toml", folder.file("d/link.toml")).unwrap();
    let rules = ArgumentRules::new("files/1")
        .rule(Rule::allow("rest", "granted"))
        .rule(Rule::deny("prod", "it holds secrets").tool("look").when("args.path == 'prod.toml'"))
        .rule(
            Rule::deny("more", "it holds secrets")
                .tool("look")
                .when("size(args.more) > 0 && args.more[0].path == 'prod.toml'"),
        );
    let builder = Gate::builder(Arc::new(MemoryStore::new().unwrap())).tools(toolset![look]).policy(rules);
    let may = Capabilities::none().allow_tools(["look"]).allow_risks([Risk::Read]).permissions(["*"]).readable(["."]);
    let workspace = Workspace::open(folder.0.join("ws")).unwrap();
    let options = SessionOptions::new("ops").capabilities(may).workspace(workspace);
    builder.build().await.unwrap().session(options).unwrap().task("look", "T")
}

#[tokio::test]
async fn a_rule_about_a_file_holds_however_the_call_spells_its_path() {
    let folder = Folder::new();
    let task = reader(&folder).await;
    let look = async |path: &str, more: &str| {
        let arguments = serde_json::json!({ "path": path, "more": [{ "path": more }] }).to_string();
        task.call(ToolCall::new("look", arguments)).await
    };
    let absolute = folder.file("prod.toml").canonicalize().unwrap();
    let spellings =
        ["prod.toml", "./prod.toml", "d/../prod.toml", ".//prod.toml", "d/link.toml", absolute.to_str().unwrap()];
    for spelling in spellings {
        for denied in [look(spelling, "test.toml").await, look("test.toml", spelling).await] {
            assert_eq!(
                (denied.code, denied.rule()),
                (Code::PermissionDenied, Some("policy.rule")),
                "{spelling}: {denied:?}"
            );
        }
    }
    let read = look("./test.toml", "d/../test.toml").await;
    assert_eq!(read.data, Some("openopen".into()), "{read:?}");
    assert_eq!(look("d/none.toml", "test.toml").await.rule(), Some("path.not_found"));
}

#[derive(Debug)]
struct Pool;

/// Asks for host state.
#[tool(risk = "read")]
fn pooled(#[state] pool: &Pool) -> Result<String, ToolError> {
    Ok(format!("{pool:?}"))
}

#[tokio::test]
async fn state_given_in_an_arc_is_missed_with_the_hint_that_says_so() {
    let builder = || Gate::builder(Arc::new(MemoryStore::new().unwrap())).tools(toolset![pooled]);
    let found = builder().state(Arc::new(Pool)).build().await.unwrap_err().to_string();
    assert!(found.contains("give the value itself"), "{found}");
    let found = builder().state(Arc::new("another")).build().await.unwrap_err().to_string();
    assert!(found.contains("`.state(..)`") && !found.contains("Arc"), "{found}");
    assert!(builder().state(Pool).build().await.is_ok());
}
