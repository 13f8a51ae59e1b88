//! The smallest agent with the commands inside: `agent work` makes a few calls, and `agent tools`,
//! `agent call`, `agent approvals` and so on are toolgate's. Not an agent with a model.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{Parser, Subcommand};
use serde_json::{Value, json};
use toolgate_cli::{Commands, Host, TerminalApprover, audit_table, cannot, stdout, system_user};
use toolgate_core::call::ToolCall;
use toolgate_core::gate::Gate;
use toolgate_core::session::{Capabilities, SessionOptions, Task};
use toolgate_core::spec::{DynamicTool, RegisteredTool, Repeat, Risk};
use toolgate_core::store::CallFilter;
use toolgate_sqlite::SqliteStore;

#[derive(Parser)]
#[command(version)]
struct Line {
    #[command(subcommand)]
    command: Mine,
}

#[derive(Subcommand)]
enum Mine {
    /// Makes a few calls.
    Work,
    #[command(flatten)]
    Gate(Commands),
}

type Failure = Box<dyn std::error::Error>;

fn tools() -> Result<[RegisteredTool; 2], Failure> {
    let name = json!({"type": "string", "pattern": "^[a-z-]+$", "description": "Which one, such as `orders`."});
    let schema = json!({"type": "object", "properties": {"name": name}, "required": ["name"]});
    let look = DynamicTool::new("look", "Looks how one service is at this moment.", schema.clone())
        .reads()
        .handler(|_, arguments| async move { Ok(json!({"name": arguments.get("name"), "status": "unhealthy"})) })?;
    let restart = DynamicTool::new("restart", "Restarts one service that is unhealthy.", schema)
        .risk(Risk::Dangerous, Repeat::Once)
        .confirm("Restart {name}.")
        .impact("The service is down for about 30 s.")
        .precondition("look", Some("result.status == 'unhealthy' && prior.name == args.name"))
        .max_age(Duration::from_mins(5))
        .handler(|_, _| async { Ok(Value::from("restarted")) })?;
    Ok([look, restart])
}

async fn agent() -> Result<(Gate, Task), Failure> {
    let path = std::env::var("AGENT_DB").unwrap_or_else(|_| "agent.db".to_owned());
    let store = Arc::new(SqliteStore::open(path)?);
    let [look, restart] = tools()?;
    // On a terminal the person at it is asked; elsewhere tickets wait for `agent approvals approve`.
    let person = system_user().unwrap_or_else(|| "operator".to_owned());
    let gate = Gate::builder(store).tool(look).tool(restart).approver(TerminalApprover::new(person)).build().await?;
    let capabilities = Capabilities::none().allow_tools(["look", "restart"]).allow_risks(Risk::ALL).permissions(["*"]);
    let options = SessionOptions::new("ops-agent").user("ann").id("session-1").capabilities(capabilities);
    let task = gate.session(options)?.task("remediation", "T-1");
    Ok((gate, task))
}

async fn work(gate: &Gate, task: &Task) -> Result<(), Failure> {
    for (tool, arguments) in [("look", r#"{"name":"orders"}"#), ("restart", r#"{"name":"orders"}"#), ("lok", "{}")] {
        let result = task.call(ToolCall::new(tool, arguments)).await;
        println!("{tool}: {}", result.code);
    }
    audit_table(&mut stdout(), &gate.store().calls(&CallFilter::default()).await?)?;
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let line = Line::parse();
    let (gate, task) = match agent().await {
        Ok(agent) => agent,
        Err(error) => return cannot(&error.to_string()),
    };
    match line.command {
        Mine::Gate(commands) => commands.run(Some(&Host::with_task(gate, task))).await,
        Mine::Work => match work(&gate, &task).await {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => cannot(&error.to_string()),
        },
    }
}
