//! What the record of a call has of a run whose protections or whose policy aren't all enforced.

use std::sync::Arc;

use serde_json::json;
use toolgate_core::call::ToolCall;
use toolgate_core::gate::Gate;
use toolgate_core::policy::{Decision, GrantModes, Granted, Grants, Mode, Policy, PolicyRequest, Verdict};
use toolgate_core::resource::Workspace;
use toolgate_core::session::{Capabilities, SessionOptions};
use toolgate_core::spec::{DynamicTool, Repeat, Risk};
use toolgate_core::store::{MemoryStore, Store};
use toolgate_exec::{CommandContext as _, ProcessesBuilder, Sandbox, Support};

use crate::support::{folder, may, processes};

/// Grants `pwd`, and only observes that.
#[derive(Debug)]
struct Observes(Grants);

impl Policy for Observes {
    fn version(&self) -> String {
        "observes/1".to_owned()
    }

    fn decide(&self, _: &PolicyRequest<'_>) -> Decision {
        Decision::new(Verdict::Allow, "all", "a test")
    }

    fn grants<'p>(&'p self, _: &str, _: &str) -> Vec<Granted<'p>> {
        let modes = GrantModes { programs: Mode::Observe, ..GrantModes::ENFORCED };
        vec![Granted { grants: &self.0, modes }]
    }
}

/// Rule and reason of what the record of one run of `program` says isn't enforced.
fn noted(setup: ProcessesBuilder, program: &'static str, sandbox: Sandbox) -> Vec<(String, String)> {
    let run = DynamicTool::new("run", "Runs it.", json!({"type": "object"}))
        .risk(Risk::Write, Repeat::Once)
        .unconfirmed("a test")
        .handler(move |context, _| async move {
            let run = context.command(program).sandbox(sandbox).run().await?;
            Ok::<_, toolgate_core::tool::ToolError>(json!(run.status.is_success()))
        });
    let grants = Grants {
        tools: vec!["*".to_owned()],
        risks: Risk::ALL.to_vec(),
        permissions: vec!["*".to_owned()],
        readable: vec![".".to_owned()],
        writable: vec![".".to_owned()],
        programs: vec!["pwd".to_owned()],
        ..Grants::default()
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new().unwrap());
        let gate = Gate::builder(Arc::clone(&store)).tool(run.unwrap()).state(setup.build().unwrap());
        let gate = gate.policy(Observes(grants)).build().await.unwrap();
        let may: Capabilities = may().allow_tools(["run"]).allow_risks(Risk::ALL).permissions(["*"]);
        let options = SessionOptions::new("agent").capabilities(may).workspace(Workspace::open(folder()).unwrap());
        let task = gate.session(options).unwrap().task("demo", "T");
        let result = task.call(ToolCall::new("run", "{}")).await;
        let record = store.call(&result.call_id).await.unwrap().unwrap().record;
        record.would_refuse.iter().map(|would| (would.rule.clone(), would.reason.clone())).collect()
    })
}

fn told(rule: &str, reason: &str) -> (String, String) {
    (rule.to_owned(), reason.to_owned())
}

#[test]
fn what_no_sandbox_kept_from_a_program_is_in_the_record_of_its_call() {
    let partly = "no sandbox keeps `pwd` from TCP, controls of devices, signals and abstract sockets";
    let with = |support: fn() -> Support, sandbox| noted(processes().support(support), "pwd", sandbox);
    assert_eq!(with(|| Support::Files, Sandbox::Required), [told("exec.no_sandbox", partly)]);
    let nothing = with(|| Support::Nothing, Sandbox::BestEffort);
    assert!(nothing[0].1.contains("files outside of the granted folders, TCP"), "{nothing:?}");
    let none = with(|| Support::Signals, Sandbox::None("it needs the network"));
    assert_eq!(none, [told("exec.no_sandbox", "`pwd` has no sandbox: it needs the network")]);
}

#[test]
fn a_program_that_the_policy_only_observes_is_in_the_record_of_its_call() {
    let sandbox = Sandbox::None("a test");
    let other = noted(processes(), "env", sandbox);
    assert_eq!(other[0], told("exec.program_not_allowed", "the program `env` is not granted"));
    assert_eq!(noted(processes(), "pwd", sandbox).len(), 1, "only the sandbox");
}
