//! A small gate on a SQLite file, and the command run on it.

#![expect(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "each test file uses a part of it, and tests may panic"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use toolgate_core::call::{Code, ToolCall, ToolResult};
use toolgate_core::gate::Gate;
use toolgate_core::session::{Capabilities, SessionOptions, Task};
use toolgate_core::spec::{DynamicTool, Repeat, Risk};
use toolgate_core::tool::ToolError;
use toolgate_sqlite::SqliteStore;

static COUNT: AtomicU32 = AtomicU32::new(0);

/// A database in a directory of its own, with the gate that writes it.
pub struct Stand {
    dir: PathBuf,
    pub gate: Gate,
    pub task: Task,
    pub runs: Arc<AtomicU32>,
}

impl Drop for Stand {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

/// What a command printed and how it ended.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    /// The output as JSON, one value a line, after checking that it is plain and succeeded.
    pub fn json(&self) -> Vec<Value> {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{self:?}");
        self.lines_of_json()
    }

    pub fn lines_of_json(&self) -> Vec<Value> {
        assert!(self.out.bytes().all(|byte| byte == b'\n' || (b' '..=b'~').contains(&byte)), "{self:?}");
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The text, after checking that it is plain and succeeded.
    pub fn text(&self) -> &str {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{self:?}");
        assert!(!self.out.contains('\u{1b}'), "{self:?}");
        &self.out
    }

    /// The one line of an error, after checking that nothing else was printed.
    pub fn error(&self, code: i32) -> &str {
        assert_eq!((self.code, self.out.as_str()), (code, ""), "{self:?}");
        assert!(self.err.starts_with("error: ") && self.err.lines().count() == 1, "{self:?}");
        assert!(!self.err.contains('\u{1b}'), "{self:?}");
        &self.err
    }
}

pub fn plain(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolgate"));
    command.args(args).env_remove("TOOLGATE_DB").env("USER", "olga").stdin(Stdio::null());
    command
}

/// The example `agent` with its database in this directory.
pub fn agent(dir: &Path, args: &[&str]) -> Command {
    let beside = PathBuf::from(env!("CARGO_BIN_EXE_toolgate"));
    let agent = beside.with_file_name("examples").join("agent");
    assert!(agent.exists(), "build the examples, too: cargo test -p toolgate-cli");
    let mut command = Command::new(agent);
    command.args(args).env("AGENT_DB", dir.join("agent.db")).env_remove("TOOLGATE_DB").env("USER", "olga");
    command.stdin(Stdio::null());
    command
}

pub fn run(command: &mut Command) -> Ran {
    command.output().unwrap().into()
}

impl Stand {
    pub async fn new() -> Self {
        Self::with_ttl(Duration::from_mins(5)).await
    }

    pub async fn with_ttl(ttl: Duration) -> Self {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("toolgate-cli-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let runs = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&runs);
        let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
        let look = DynamicTool::new("look", "Looks.", schema.clone())
            .reads()
            .handler(|_, arguments| async move { Ok(json!({"name": arguments["name"], "status": "unhealthy"})) });
        let restart = DynamicTool::new("restart", "Restarts.", schema.clone())
            .risk(Risk::Dangerous, Repeat::Once)
            .confirm("Restart {name}.")
            .impact("It is down for 30 s.")
            .precondition("look", Some("result.status == 'unhealthy' && prior.name == args.name"))
            .handler(move |_, _| {
                count.fetch_add(1, Ordering::Relaxed);
                async { Ok(json!("restarted")) }
            });
        let broken = DynamicTool::new("broken", "Fails.", schema)
            .risk(Risk::Dangerous, Repeat::Once)
            .unconfirmed("a test")
            .handler(|_, _| async { Err::<serde_json::Value, _>(ToolError::new("the switch is stuck")) });
        let store = Arc::new(SqliteStore::open(dir.join("gate.db")).unwrap());
        let gate = Gate::builder(store)
            .tool(look.unwrap())
            .tool(restart.unwrap())
            .tool(broken.unwrap())
            .ticket_ttl(ttl)
            .build()
            .await
            .unwrap();
        let capabilities =
            Capabilities::none().allow_tools(["look", "restart", "broken"]).allow_risks(Risk::ALL).permissions(["*"]);
        let options = SessionOptions::new("ops-agent").user("ann").id("session-1").capabilities(capabilities);
        let task = gate.session(options).unwrap().task("remediation", "T-1");
        Self { dir, gate, task, runs }
    }

    pub fn db(&self) -> PathBuf {
        self.dir.join("gate.db")
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The command on this database.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = plain(args);
        command.arg("--db").arg(self.db());
        command
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        run(&mut self.command(args))
    }

    /// Makes a call with `{"name": name}`.
    pub async fn call(&self, tool: &str, name: &str) -> ToolResult {
        self.task.call(ToolCall::new(tool, json!({"name": name}).to_string()).with_reasoning("it hangs")).await
    }

    /// Looks and then asks for a restart; returns the ticket and the call.
    pub async fn ticket(&self, name: &str) -> (String, String) {
        assert_eq!(self.call("look", name).await.code, Code::Ok);
        let waiting = self.call("restart", name).await;
        assert_eq!(waiting.code, Code::ConfirmationRequired, "{waiting:?}");
        (waiting.ticket().unwrap().to_owned(), waiting.call_id)
    }
}
