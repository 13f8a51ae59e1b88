//! The property of authority: a call runs where the host, every narrowing and the policy file allow it, and nowhere else,
//! a call that a running tool makes too.

use std::sync::Arc;

use proptest::prelude::*;
use toolgate::policy::file::PolicyFile;
use toolgate::{
    Capabilities, Context, Gate, MemoryStore, Narrowing, Risk, SessionOptions, Task, ToolCall, ToolError, tool, toolset,
};

/// Looks.
#[tool(risk = "read", permissions = ["see:it"])]
fn look() -> Result<bool, ToolError> {
    Ok(true)
}

/// Lists.
#[tool(risk = "read", permissions = ["see:all"])]
fn list() -> Result<bool, ToolError> {
    Ok(true)
}

/// Changes.
#[tool(risk = "write", repeatable = "it counts", permissions = ["change:it"])]
fn change() -> Result<bool, ToolError> {
    Ok(true)
}

/// Calls another.
#[tool(risk = "write", repeatable = "the other says", permissions = ["see:it"])]
async fn relay(
    ctx: &Context,
    /// The other.
    other: String,
) -> Result<bool, ToolError> {
    Ok(ctx.call(ToolCall::new(other, "{}")).await.ok)
}

const TOOLS: [&str; 4] = ["look", "list", "change", "relay"];
const RISKS: [Risk; 2] = [Risk::Read, Risk::Write];
const PERMISSIONS: [&str; 3] = ["see:it", "see:all", "change:it"];

/// Sets of everything that is granted.
#[derive(Debug, Clone)]
struct Set {
    tools: Vec<&'static str>,
    risks: Vec<Risk>,
    permissions: Vec<&'static str>,
}

impl Set {
    fn allows(&self, tool: &str) -> bool {
        let (risk, permission) = match tool {
            "look" => (Risk::Read, "see:it"),
            "list" => (Risk::Read, "see:all"),
            "change" => (Risk::Write, "change:it"),
            _ => (Risk::Write, "see:it"),
        };
        self.tools.contains(&tool) && self.risks.contains(&risk) && self.permissions.contains(&permission)
    }
}

/// Most of everything, so that something is left after several of them.
fn set() -> impl Strategy<Value = Set> {
    let sub = |all: &'static [&'static str]| prop::sample::subsequence(all, all.len() - 1..=all.len());
    (sub(&TOOLS), prop::sample::subsequence(&RISKS, 1..=2), sub(&PERMISSIONS))
        .prop_map(|(tools, risks, permissions)| Set { tools, risks, permissions })
}

fn file(of: &Set) -> PolicyFile {
    let risks: Vec<&str> = of.risks.iter().map(|risk| risk.as_str()).collect();
    let text = format!("[task.demo]\ntools = {:?}\nrisks = {risks:?}\npermissions = {:?}\n", of.tools, of.permissions);
    PolicyFile::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

fn narrowing(of: &Set) -> Narrowing {
    let Set { tools, risks, permissions } = of.clone();
    Narrowing::default().allow_tools(tools).allow_risks(risks).permissions(permissions)
}

/// Which tools run for this task: by themselves, and called by `relay`.
async fn runs(task: &Task) -> Vec<(bool, bool)> {
    let mut found = Vec::new();
    for tool in TOOLS {
        let arguments = if tool == "relay" { r#"{"other": "none"}"# } else { "{}" };
        let own = task.call(ToolCall::new(tool, arguments)).await.ok;
        let relayed = task.call(ToolCall::new("relay", format!(r#"{{"other": "{tool}"}}"#))).await;
        found.push((own, relayed.ok && relayed.data == Some(true.into())));
    }
    found
}

/// Which may, as the sets say. `relay` without arguments of its own is no call, wherever it is made.
fn may(sets: &[Set]) -> Vec<(bool, bool)> {
    let all = |tool: &str| sets.iter().all(|set| set.allows(tool));
    TOOLS.map(|tool| (all(tool), all(tool) && all("relay") && tool != "relay")).to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_call_runs_where_every_layer_allows_it_and_nowhere_else(
        host in prop::option::of(set()),
        first in set(),
        second in set(),
        narrowings in prop::collection::vec(set(), 0..3),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (found, expected) = runtime.block_on(async {
            let store = Arc::new(MemoryStore::new().unwrap());
            let gate = Gate::builder(store).tools(toolset![look, list, change, relay]).policy(file(&first)).build();
            let gate = gate.await.unwrap();
            let granted = host.as_ref().map_or_else(Capabilities::by_policy, |host| {
                let Set { tools, risks, permissions } = host.clone();
                Capabilities::none().allow_tools(tools).allow_risks(risks).permissions(permissions)
            });
            let session = gate.session(SessionOptions::new("agent").capabilities(granted)).unwrap();
            let mut sets: Vec<Set> = host.into_iter().collect();
            let mut tasks = vec![(session.task("demo", "T"), sets.clone())];
            for set in &narrowings {
                sets.push(set.clone());
                let task = match tasks.len() {
                    1 => session.task_within("demo", "T", narrowing(set)),
                    _ => tasks[tasks.len() - 1].0.narrow(narrowing(set)),
                };
                tasks.push((task, sets.clone()));
            }
            let (mut found, mut expected) = (Vec::new(), Vec::new());
            // The policy is replaced in between: what narrows it stays.
            for policy in [&first, &second] {
                gate.reload_policy(file(policy)).unwrap();
                for (task, sets) in &tasks {
                    found.push(runs(task).await);
                    expected.push(may(&[sets.clone(), vec![policy.clone()]].concat()));
                }
            }
            (found, expected)
        });
        prop_assert_eq!(found, expected);
    }
}
