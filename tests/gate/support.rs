//! The tools, stores and sessions of these tests: one small world in which every effect is counted.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use toolgate::approval::{Decision, decide};
use toolgate::clock::{Clock, SystemClock};
use toolgate::store::{CallFilter, CallRecord, CallStory, TicketRecord};
use toolgate::{
    Capabilities, Gate, GateBuilder, MemoryStore, ReadPath, Risk, Session, SessionOptions, SqliteStore, Store, Task,
    ToolCall, ToolError, ToolResult, Workspace, WritePath, tool, toolset,
};
use toolgate_testing::FaultStore;

/// What happened to the world, in order.
#[derive(Clone, Default)]
pub(crate) struct World {
    effects: Arc<Mutex<Vec<String>>>,
}

impl World {
    pub(crate) fn act(&self, what: impl Into<String>) {
        self.effects.lock().unwrap().push(what.into());
    }

    pub(crate) fn effects(&self) -> usize {
        self.effects.lock().unwrap().len()
    }
}

/// Acts, then does as told.
#[tool(risk = "write", once, timeout = "150ms")]
async fn act(
    /// What is done.
    what: String,
    /// `ok`, `error`, `panic`, `definite`, `none`, `slow`, `slow_error`.
    mode: String,
    #[state] world: &World,
) -> Result<String, ToolError> {
    match mode.as_str() {
        "none" => return Err(ToolError::no_effect("not now")),
        "slow" | "slow_error" => tokio::time::sleep(Duration::from_millis(400)).await,
        _ => {}
    }
    world.act(&what);
    match mode.as_str() {
        "error" => Err(std::io::Error::other(format!("CANARY-source {what} /etc/CANARY-path")).into()),
        "definite" => Err(ToolError::no_effect("declined").definite()),
        "slow_error" => Err(ToolError::no_effect("declined late").definite()),
        "panic" => panic!("CANARY-panic {what}"),
        _ => Ok(format!("did {what}")),
    }
}

/// Acts on a thread, slowly.
#[tool(risk = "write", once, timeout = "150ms")]
fn act_blocking(
    /// What is done.
    what: String,
    #[state] world: &World,
) -> Result<String, ToolError> {
    std::thread::sleep(Duration::from_millis(400));
    world.act(&what);
    Ok(format!("did {what}"))
}

/// Writes a text into a file.
#[tool(risk = "write", idempotent)]
async fn put(
    /// The file.
    path: WritePath,
    /// Its text.
    text: String,
    #[state] world: &World,
) -> Result<String, ToolError> {
    path.write(&text)?;
    world.act(format!("put {text}"));
    Ok("written".to_owned())
}

/// Writes a text at the third try.
#[tool(risk = "write", idempotent, failure_policy = retry(max = 3, backoff = "1ms"))]
async fn put_at_last(
    /// The file.
    path: WritePath,
    /// Its text.
    text: String,
    /// How the last try ends.
    ends: String,
    ctx: &toolgate::Context,
    #[state] world: &World,
) -> Result<String, ToolError> {
    path.write(format!("{text} {}", ctx.attempt()))?;
    world.act(format!("put {text}"));
    match ctx.attempt() {
        1 | 2 => Err(ToolError::new("not yet").retryable()),
        _ if ends == "none" => Err(ToolError::no_effect("gave up")),
        _ => Ok("written".to_owned()),
    }
}

/// Reads a file.
#[tool(risk = "read")]
fn peek(
    /// The file.
    path: ReadPath,
) -> Result<String, ToolError> {
    Ok(path.read_to_string()?)
}

/// Gives a long text.
#[tool(risk = "read", result_limit = 500)]
async fn huge(
    /// How many words.
    words: u32,
) -> Result<Vec<String>, ToolError> {
    Ok((0..words).map(|n| format!("wörd-{n}")).collect())
}

/// Fails as a read does.
#[tool(risk = "read", timeout = "100ms")]
async fn look(
    /// `ok`, `error`, `slow`.
    mode: String,
) -> Result<String, ToolError> {
    match mode.as_str() {
        "error" => Err(std::io::Error::other("CANARY-source").into()),
        "slow" => {
            tokio::time::sleep(Duration::from_secs(30)).await;
            Ok("late".to_owned())
        }
        _ => Ok("seen".to_owned()),
    }
}

/// Removes something, after a person's yes.
#[tool(
    risk = "dangerous",
    once,
    confirm = "Remove {name}.",
    failure_policy = "abort_and_alert",
    precondition(tool = look, when = "result == 'seen'", max_age = "1h")
)]
async fn remove(
    /// What is removed.
    name: String,
    /// Shown to nobody.
    #[arg(sensitive)]
    token: String,
    /// Why.
    #[arg(reason)]
    why: String,
    #[state] world: &World,
) -> Result<String, ToolError> {
    world.act(format!("remove {name} {token} {why}"));
    Ok(format!("removed {name}, because {why}"))
}

/// Adds a line, each time, after a person's yes.
#[tool(risk = "write", repeatable = "each line counts", confirm = "Add {line}.")]
async fn add(
    /// The line.
    line: String,
    #[state] world: &World,
) -> Result<String, ToolError> {
    world.act(line);
    Ok("added".to_owned())
}

/// Replaces a file, after a person's yes.
#[tool(risk = "write", idempotent, confirm = "Replace {path}.")]
async fn replace(
    /// The file.
    path: WritePath,
    #[state] world: &World,
) -> Result<String, ToolError> {
    path.write("replaced")?;
    world.act("replaced");
    Ok("replaced".to_owned())
}

pub(crate) const TOOLS: [&str; 10] =
    ["act", "act_blocking", "put", "put_at_last", "peek", "huge", "look", "remove", "add", "replace"];

/// A clock that a test moves.
#[derive(Debug, Clone, Default)]
pub(crate) struct Watch {
    ahead: Arc<AtomicI64>,
}

impl Watch {
    pub(crate) fn forward(&self, time: Duration) {
        self.shift(i64::try_from(time.as_millis()).unwrap());
    }

    /// Back, too, in milliseconds.
    pub(crate) fn shift(&self, by_ms: i64) {
        self.ahead.fetch_add(by_ms, Ordering::SeqCst);
    }
}

impl Clock for Watch {
    fn now_ms(&self) -> i64 {
        SystemClock.now_ms() + self.ahead.load(Ordering::SeqCst)
    }
}

/// A folder that goes with the test.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("toolgate-gate-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::SeqCst));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(path.join("ws")).unwrap();
        Self(path)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join("ws").join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) struct Bench {
    pub(crate) gate: Gate,
    pub(crate) store: Arc<FaultStore>,
    pub(crate) world: World,
    pub(crate) watch: Watch,
    pub(crate) session: Session,
    pub(crate) task: Task,
    pub(crate) folder: Folder,
}

/// Which store a test runs on.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    Memory,
    Sqlite,
    #[cfg(feature = "postgres")]
    Postgres,
}

/// Every store that is here, to be gone through: PostgreSQL only where its server is installed.
pub(crate) struct Kinds;

pub(crate) const KINDS: Kinds = Kinds;

impl IntoIterator for Kinds {
    type Item = Kind;
    type IntoIter = std::vec::IntoIter<Kind>;

    fn into_iter(self) -> Self::IntoIter {
        let mut kinds = vec![Kind::Memory, Kind::Sqlite];
        #[cfg(feature = "postgres")]
        kinds.extend(postgres::server().map(|_| Kind::Postgres));
        kinds.into_iter()
    }
}

/// A new store of this kind.
pub(crate) fn fresh(kind: Kind, folder: &Folder) -> Arc<dyn Store> {
    match kind {
        Kind::Memory => Arc::new(MemoryStore::new().unwrap()),
        Kind::Sqlite => Arc::new(SqliteStore::open(Bench::database(&folder.0)).unwrap()),
        #[cfg(feature = "postgres")]
        Kind::Postgres => postgres::fresh(),
    }
}

#[cfg(feature = "postgres")]
mod postgres {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::{Arc, OnceLock};

    use toolgate::Store;
    use toolgate::postgres::{GateKey, KeySource, PostgresOptions, PostgresStore};
    use toolgate_testing::PgServer;

    /// One for all tests of this binary; it goes with the process.
    pub(super) fn server() -> Option<&'static PgServer> {
        static SERVER: OnceLock<Option<PgServer>> = OnceLock::new();
        SERVER.get_or_init(|| PgServer::start_with(&["max_connections=500"])).as_ref()
    }

    /// In a schema of its own.
    pub(super) fn fresh() -> Arc<dyn Store> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let schema = format!("gate{}", COUNT.fetch_add(1, Ordering::SeqCst));
        let key = KeySource::Given(GateKey::from_bytes([7; 32]));
        let url = server().unwrap().url("postgres");
        Arc::new(PostgresStore::open_blocking(&url, PostgresOptions::new(key).schema(schema)).unwrap())
    }
}

pub(crate) fn may_all() -> Capabilities {
    Capabilities::none().allow_tools(TOOLS).allow_risks(Risk::ALL).permissions(["*"]).readable(["."]).writable(["."])
}

impl Bench {
    pub(crate) async fn new(kind: Kind) -> Self {
        Self::with(kind, |builder| builder).await
    }

    pub(crate) async fn with(kind: Kind, more: impl FnOnce(GateBuilder) -> GateBuilder) -> Self {
        let folder = Folder::new();
        let store = Arc::new(FaultStore::new(fresh(kind, &folder)));
        let (world, watch) = (World::default(), Watch::default());
        let builder = builder(Arc::clone(&store) as Arc<dyn Store>, &world).clock(watch.clone());
        let gate = more(builder).build().await.unwrap();
        let session = Self::session_of(&gate, &folder, "S");
        let task = session.task("demo", "T");
        Self { gate, store, world, watch, session, task, folder }
    }

    pub(crate) fn database(folder: &Path) -> PathBuf {
        folder.join("gate.db")
    }

    pub(crate) fn session_of(gate: &Gate, folder: &Folder, id: &str) -> Session {
        let workspace = Workspace::open(folder.0.join("ws")).unwrap();
        let options = SessionOptions::new("agent").user("ann").capabilities(may_all()).workspace(workspace).id(id);
        gate.session(options).unwrap()
    }

    pub(crate) async fn call(&self, tool: &str, arguments: &str) -> ToolResult {
        self.task.call(ToolCall::new(tool, arguments)).await
    }

    /// Somebody answers a ticket from another terminal.
    pub(crate) async fn decide(&self, ticket: &str, approve: bool) -> TicketRecord {
        let decision = Decision { approve, by: "bob".to_owned(), comment: None };
        let store = self.store.inner();
        decide(&**store, self.gate.redactor(), self.watch.now_ms(), ticket, &decision, "test")
            .await
            .unwrap()
            .into_ticket()
            .unwrap()
    }

    pub(crate) async fn story(&self, call_id: &str) -> CallStory {
        self.store.inner().call(call_id).await.unwrap().unwrap()
    }

    pub(crate) async fn calls(&self) -> Vec<CallRecord> {
        self.store.inner().calls(&CallFilter::default()).await.unwrap()
    }

    /// The chain of events is whole.
    pub(crate) async fn must_be_sound(&self) {
        assert_eq!(self.store.inner().report().await.unwrap().faults, Vec::<String>::new());
    }
}

pub(crate) fn builder(store: Arc<dyn Store>, world: &World) -> GateBuilder {
    let tools = toolset![act, act_blocking, put, put_at_last, peek, huge, look, remove, add, replace];
    Gate::builder(store).tools(tools).state(world.clone())
}

/// Waits until it is so.
pub(crate) async fn until(what: &str, mut so: impl AsyncFnMut() -> bool) {
    for _ in 0..200 {
        if so().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never came: {what}");
}
