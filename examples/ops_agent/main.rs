//! An agent that looks after a fleet of services, and may not do what it says until the gate lets it: the
//! story of a restart that is looked at first, confirmed, done once and told.
//!
//! No model is asked: its turns are recorded in `story.jsonl`. What it may do stands in `policy.toml`, and the
//! commands about policies and tools (`ops_agent policy test FILE`) are toolgate's. Start your own agent from [`run`].

#[path = "../shared/mod.rs"]
mod shared;

mod fleet;
mod tools;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use toolgate::policy::file::PolicyFile;
use toolgate::{Capabilities, Gate, MemoryStore, Session, SessionOptions, SqliteStore, Workspace};

use fleet::Fleet;
use shared::{Failure, Home, Options, Pager, Player, Role, Script};

const STORY: &str = "examples/ops_agent/story.jsonl";

#[tokio::main]
async fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("policy" | "tools" | "lint") => commands().await,
        _ => shared::exit("ops_agent", run().await),
    }
}

/// The commands that need the tools and nothing that was done with them. The policy isn't read here, so that one
/// that is broken can be looked at.
async fn commands() -> ExitCode {
    match tools_only().await {
        Ok((gate, _home)) => toolgate_cli::run(Some(toolgate_cli::Host::new(gate)), std::env::args_os()).await,
        Err(failure) => toolgate_cli::cannot(&failure.to_string()),
    }
}

/// A gate that keeps nothing, and the place of its fleet.
async fn tools_only() -> Result<(Gate, Home), Failure> {
    let home = Home::open("ops_agent", &Options::parse(std::iter::empty(), STORY)?)?;
    let fleet = Fleet::open(home.workspace())?;
    let gate = Gate::builder(Arc::new(MemoryStore::new()?)).tools(tools::all()).state(fleet).build().await?;
    Ok((gate, home))
}

/// Store, gate, session, tasks; then the story.
async fn run() -> Result<(), Failure> {
    let options = Options::parse(std::env::args().skip(1), STORY)?;
    let script = Script::read(&options.model)?;
    let home = Home::open("ops_agent", &options)?;
    let fleet = Fleet::open(home.workspace())?;
    let (pager, alerts) = Pager::new();
    let gate = Gate::builder(Arc::new(SqliteStore::open(home.database())?))
        .tools(tools::all())
        .policy(PolicyFile::load(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/ops_agent/policy.toml"))?)
        .state(fleet.clone())
        .alert_sink(pager)
        .build()
        .await?;
    let session = gate.session(
        SessionOptions::new("ops-agent")
            .user("dana")
            .workspace(Workspace::open(home.workspace())?)
            .capabilities(Capabilities::by_policy()),
    )?;
    let mut player = Player::new(&gate, &home, &options, roles(&session), alerts)?;
    player.begin(&[("database", home.database()), ("fleet", &fleet.state_file())])?;
    player.play(&script).await?;
    player.finish().await
}

/// The types of task that the story works in; what each may do, the policy says.
fn roles(session: &Session) -> Vec<Role> {
    let tasks = [("inspection", "INC-2041-look"), ("remediation", "INC-2041-fix")];
    tasks.map(|(of, id)| Role { session: session.clone(), task: session.task(of, id) }).into()
}
