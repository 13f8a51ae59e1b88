//! An agent that looks after a fleet of services, and may not do what it says until the gate lets it: the
//! story of a restart that is looked at first, confirmed, done once and told.
//!
//! No model is asked: its turns are recorded in `story.jsonl`. Start your own agent from [`run`].

#[path = "../shared/mod.rs"]
mod shared;

mod fleet;
mod tools;

use std::process::ExitCode;
use std::sync::Arc;

use toolgate::{Capabilities, Gate, Narrowing, Risk, Session, SessionOptions, SqliteStore, Workspace};

use fleet::Fleet;
use shared::{Failure, Home, Options, Pager, Player, Role, Script};

#[tokio::main]
async fn main() -> ExitCode {
    shared::exit("ops_agent", run().await)
}

/// Store, gate, session, tasks; then the story.
async fn run() -> Result<(), Failure> {
    let options = Options::parse(std::env::args().skip(1), "examples/ops_agent/story.jsonl")?;
    let script = Script::read(&options.model)?;
    let home = Home::open("ops_agent", &options)?;
    let fleet = Fleet::open(home.workspace())?;
    let (pager, alerts) = Pager::new();
    let gate = Gate::builder(Arc::new(SqliteStore::open(home.database())?))
        .tools(tools::all())
        .state(fleet.clone())
        .alert_sink(pager)
        .build()
        .await?;
    let session = gate.session(
        SessionOptions::new("ops-agent")
            .user("dana")
            .workspace(Workspace::open(home.workspace())?)
            .capabilities(capabilities()),
    )?;
    let mut player = Player::new(&gate, &home, &options, roles(&session), alerts)?;
    player.begin(&[("database", home.database()), ("fleet", &fleet.state_file())])?;
    player.play(&script).await?;
    player.finish().await
}

/// What the agent may do at all; anything else is denied.
fn capabilities() -> Capabilities {
    Capabilities::none()
        .allow_tools(["query_service_status", "query_logs", "query_metrics", "restart_service", "delete_file"])
        .allow_risks([Risk::Read, Risk::Dangerous])
        .permissions(["read:*", "write:service", "delete:file"])
        .writable(["logs/archive"])
}

/// The kinds of task: an inspection may only read.
fn roles(session: &Session) -> Vec<Role> {
    let only_read = Narrowing::default().allow_risks([Risk::Read]);
    let inspection = session.task_within("inspection", "INC-2041-look", only_read);
    let remediation = session.task("remediation", "INC-2041-fix");
    [inspection, remediation].map(|task| Role { session: session.clone(), task }).into()
}
