//! An agent that works on a small project: a review may only read, an edit may write below `src/` and
//! `tests/` and nowhere else, whatever path it names, and run the programs of its list when a person agrees.
//!
//! No model is asked: its turns are recorded in `story.jsonl`. Start your own agent from [`run`].

#[path = "../shared/mod.rs"]
mod shared;

mod project;
mod tools;

use std::process::ExitCode;
use std::sync::Arc;

use toolgate::exec::{self, Processes, Sandbox};
use toolgate::resource::WorkspaceOptions;
use toolgate::{Capabilities, Gate, Risk, Session, SessionOptions, SqliteStore, Workspace};

use shared::{Failure, Home, Options, Pager, Player, Role, Script};

fn main() -> ExitCode {
    // First: this program is also the supervisor of the programs that it runs.
    exec::init();
    let ended = tokio::runtime::Runtime::new().map_err(Failure::from).and_then(|runtime| runtime.block_on(run()));
    shared::exit("code_agent", ended)
}

/// Store, gate, two sessions with a task each; then the story.
async fn run() -> Result<(), Failure> {
    let options = Options::parse(std::env::args().skip(1), "examples/code_agent/story.jsonl")?;
    let script = Script::read(&options.model)?;
    let home = Home::open("code_agent", &options)?;
    project::copy_into(home.workspace())?;
    let workspace_options = WorkspaceOptions { create_parents: true, ..WorkspaceOptions::default() };
    let workspace = Workspace::open_with(home.workspace(), workspace_options)?;
    let (pager, alerts) = Pager::new();
    let store = Arc::new(SqliteStore::open(home.database())?);
    // So that the story goes on where the kernel has no Landlock. An agent of yours leaves it at `Required`.
    let processes = Processes::builder().sandbox(Sandbox::BestEffort).build()?;
    let gate = Gate::builder(store).tools(tools::all()).state(processes).alert_sink(pager).build().await?;
    let open = |capabilities| {
        let options = SessionOptions::new("code-agent").user("dana").workspace(workspace.clone());
        gate.session(options.capabilities(capabilities))
    };
    let roles = vec![role("review", open(may_read())?), role("edit", open(may_edit())?)];
    let mut player = Player::new(&gate, &home, &options, roles, alerts)?;
    player.begin(&[("database", home.database()), ("workspace", home.workspace())])?;
    player.play(&script).await?;
    player.finish().await
}

/// A review knows all tools, and may use those that read.
fn may_read() -> Capabilities {
    Capabilities::none()
        .allow_tools(["list_files", "read_text", "search_text", "write_file", "run_command"])
        .allow_risks([Risk::Read])
        .permissions(["read:file"])
        .readable(["."])
}

/// An edit may write too, in two folders, and look through them with two programs.
fn may_edit() -> Capabilities {
    may_read()
        .allow_risks([Risk::Read, Risk::Write, Risk::Dangerous])
        .permissions(["read:file", "write:file", "run:command"])
        .writable(["src", "tests"])
        .programs(["grep", "wc"])
}

fn role(kind: &str, session: Session) -> Role {
    Role { task: session.task(kind, kind), session }
}
