//! The execution boundary for agent tools: annotate a plain function, and a model's words reach it only
//! through the gate. Everything a user's crate needs is re-exported here; nothing is implemented here.
//!
//! ```
//! use std::sync::Arc;
//! use toolgate::{Capabilities, Code, Gate, MemoryStore, Risk, SessionOptions, ToolCall, ToolError, tool, toolset};
//!
//! /// Restarts one service.
//! #[tool(risk = "write", idempotent, confirm = "Restart {service}?")]
//! async fn restart(
//!     /// The service to restart.
//!     service: String,
//! ) -> Result<String, ToolError> {
//!     Ok(format!("{service} was restarted"))
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let gate = Gate::builder(Arc::new(MemoryStore::new()?)).tools(toolset![restart]).build().await?;
//! let may = Capabilities::none().allow_tools(["restart"]).allow_risks([Risk::Write]).permissions(["tool:*"]);
//! let task = gate.session(SessionOptions::new("ops-agent").capabilities(may))?.task("remediation", "T-1");
//!
//! let typo = task.call(ToolCall::new("restart", r#"{"servce": "orders"}"#)).await;
//! assert_eq!(typo.code, Code::InvalidArgument); // nothing ran, and the model is told the name it meant
//!
//! let asked = task.call(ToolCall::new("restart", r#"{"service": "orders"}"#)).await;
//! assert_eq!(asked.code, Code::ConfirmationRequired); // a ticket waits for a person
//! # Ok(())
//! # }
//! ```
//!
//! | to | see |
//! |---|---|
//! | declare a tool | [`#[tool]`](macro@tool), [`#[tool_type]`](macro@tool_type), [`toolset!`], [`DynamicTool`] at run time |
//! | write its body | [`Context`], [`ToolError`], [`Effect`], [`ReadPath`], [`WritePath`], [`DirPath`], [`EntryPath`], [`HttpUrl`] |
//! | give images, files, links | [`content`], [`content::WithContent`] |
//! | use a token of another system | [`Context::credential`], [`Capabilities::credential_for`], [`credential`] |
//! | call another tool from one | [`Context::call`], [`Context::call_tool`] |
//! | run a program from one | `exec` (feature `exec`) |
//! | build a gate | [`Gate::builder`], [`GateBuilder`], [`MemoryStore`], `SqliteStore` (feature `sqlite`, on by default) |
//! | say who may do what | [`SessionOptions`], [`Capabilities`], [`Narrowing`], [`policy`] |
//! | run a model's calls | [`Task::tools_for_model`], [`Dialect`], [`provider`], [`ToolCall`], [`Task::call`], [`ToolResult`], [`Code`] |
//! | take what a model says in the wrong form | [`Repair`], [`SessionOptions::coerce`] |
//! | do all of it without an async runtime | [`GateBuilder::build_blocking`], [`Task::call_blocking`], [`Gate::block_on`] |
//! | let a person decide | [`approval`], [`Task::resume`] |
//! | tell turns and operations apart | [`Task::begin_turn`], [`Task::begin_turn_named`], [`ToolCall::in_operation`] |
//! | look at what happened | [`store::CallRecord`], [`store::CallFilter`], [`Gate::store`] |
//! | be told of failures | [`alert`] |
//! | have a set of tools reviewed | [`assert_reviewed!`], [`review`] |
//!
//! The guide in `docs/guide` of the repository goes through each of them, with examples that are run as
//! tests; `docs/guide/agent-loop.md` is a whole agent.

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

#[cfg(doctest)]
mod pages;
mod reviewed;

pub use toolgate_core::content;
pub use toolgate_core::resource::{DirPath, EntryPath, HostRule, HttpUrl, ReadPath, Workspace, WritePath};
pub use toolgate_core::spec::{Risk, StaticToolset, ToolEntry, ToolSpec};
pub use toolgate_core::tool::{
    Argument, BoxFuture, Cancellation, Context, Effect, ProgressSink, Reconciled, Recorded, ToolError, ToolOutput,
};
pub use toolgate_core::{schemars, serde, serde_json};
/// Makes a function a tool.
///
/// ```
/// use toolgate::{ToolError, tool, toolset};
///
/// /// Restarts one service and waits until it answers.
/// #[tool(risk = "write", idempotent, confirm = "Restart {service}?", timeout = "30s")]
/// async fn restart_service(
///     /// The service to restart.
///     #[arg(pattern = "^[a-z-]+$", max_length = 40)]
///     service: String,
/// ) -> Result<String, ToolError> {
///     Ok(format!("{service} answers"))
/// }
///
/// let tools = toolset![restart_service];
/// assert_eq!(tools.entries[0].spec.name, "restart_service");
/// ```
///
/// The function stays a function. A type of its name, which nobody can make, carries `impl Tool`; `use`
/// imports both. So there can't be another type of that name beside the function, and where a module `look`
/// stands, `pub use look::look;` is refused (E0255): list the tool by its path, `toolset![look::look]`, or
/// import it by another name, `use look::look as look_tool;`.
///
/// The model reads the function's doc comment, and those of the parameters: both must be there. Every
/// mistake is a compile error at the option or parameter, all of them in one compile.
///
/// | option | meaning | default |
/// |---|---|---|
/// | `risk = ".."` | `read`, `write`, `external` (leaves the organisation) or `dangerous` (destroys, changes permissions, runs code) | must be given |
/// | `name = ".."` | name on the wire, 1 to 64 of `[a-zA-Z0-9_-]` | the function's |
/// | `title = ".."` | name for people | none |
/// | `permissions = [".."]` | what a session must hold | `["tool:<name>"]` |
/// | `idempotent`, `once`, `repeatable = "why"` | doing it twice is like once; one effect for a key; each call is a new effect. One of them, on all but `read` | must be given |
/// | `key = ["order_id"]`, `key = "host"` | what scopes the idempotency key: these arguments, or the host's own key | all arguments |
/// | `confirm = ".."` | a person is asked with this text; `{name}` is an argument, `{{` a brace | nobody is asked |
/// | `unconfirmed = "why"` | why an `external` or `dangerous` tool asks nobody | `confirm` must be given |
/// | `impact = ".."`, `alternatives = ".."` | what happens, and what else could be done, for the approver | none |
/// | `precondition(tool = other, when = "..", max_age = "5m", unbound = "why")` | what another tool's recorded outcome must show first; may be given more than once. The tool as path, or its name as text. `when` reads `result`, `prior` (its arguments), `args` and `task`; without it the call must have succeeded. Arguments that both tools have are bound with `prior.x == args.x`, unless `unbound` says why not | none |
/// | `failure_policy = "abort"`, `"abort_and_alert"`, `retry(max = 2, backoff = "200ms")`, or `failure_policy(fallback = other)` | what happens after a failure | by risk: `retry(max = 2)`, `abort`, `abort`, `abort_and_alert` |
/// | `timeout = 10`, `"500ms"`, `"5m"` | how long a caller waits, at most 24 h | 10 s |
/// | `verify = path` | an `async fn(&Context, &Recorded) -> Result<bool, ToolError>`: whether a recorded result still holds, of an `idempotent` tool. Where not, it runs again | the files that it wrote are as it left them |
/// | `reconcile = path` | an `async fn(&Context, &Recorded) -> Result<Reconciled, ToolError>`: what became of a run that nobody heard the end of, of a `once` tool | a person must say |
/// | `settle = "30s"` | how long after its loss a run may still change the world; `reconcile` isn't asked before | 5 s |
/// | `effects = "marked"` | the tool says with `ctx.effect_starts()?` when its effect begins, or leaves that to the library's own paths, requests and programs: what ends before had none | what doesn't say may have had one |
/// | `coerce = ["string-number"]` | what may be repaired in its arguments, see [`Repair`]: `string-number`, `string-boolean`, `double-encoded`, `null-for-absent`, `item-for-list` | nothing |
/// | `output = "untrusted"` | strangers may write its results (a web page, an e-mail, a ticket): they mark the task, and values in them are known by where they come from | `"trusted"` |
/// | `result_limit = 8_000` | most characters of a result that reach the model | 8,000 |
/// | `redact = path` | a `fn(&mut serde_json::Value)` that masks what is stored | none |
/// | `crate = ::path` | where this crate is, if under another name | `::toolgate` |
///
/// Parameters are the arguments. `ctx: &Context` and `#[state] pool: &Pool` are injected and not shown to
/// the model. Many arguments: `#[args] input: T`, and the fields of the struct `T` are the arguments, with
/// their options and descriptions; no other argument stands beside it. A parameter's type is one of Rust's plain ones, a workspace path such as [`ReadPath`], an [`HttpUrl`], carries
/// [`#[tool_type]`](macro@tool_type), or derives serde's `Serialize` and `Deserialize` and schemars'
/// `JsonSchema` from the re-exports:
///
/// ```
/// use toolgate::{schemars, serde};
///
/// #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// #[serde(crate = "toolgate::serde")]
/// #[schemars(crate = "toolgate::schemars")]
/// struct Money {
///     amount: u64,
/// }
/// ```
///
/// | `#[arg(..)]` | for | meaning |
/// |---|---|---|
/// | `range = 1..=10` | numbers | smallest and largest |
/// | `min_length`, `max_length` | text | characters |
/// | `pattern = ".."` | text | a regular expression that must be found in it, and that Rust and JSON Schema read alike |
/// | `one_of = ["a", "b"]` | text | the only words |
/// | `min_items`, `max_items` | lists | items |
/// | `default = ..`, `example = ..` | all | a literal: used when it is left out; shown to the model |
/// | `sensitive` | all | kept out of texts, logs and results |
/// | `reason` | text | the model's stated reason: shown to the approver, no part of key and approval |
/// | `destination` | all | where something goes: its origin is in the record and before the approver |
/// | `not_a_resource = "why"` | text | why a parameter called `path`, `url` or the like is plain text |
pub use toolgate_macros::tool;

/// Makes a type an argument and a result of tools, without serde.
///
/// ```
/// use toolgate::tool_type;
///
/// /// Where it runs.
/// #[tool_type]
/// #[derive(Debug, Clone, Copy, PartialEq)]
/// enum Environment {
///     /// Nobody is hurt.
///     Staging,
///     #[arg(rename = "prod")]
///     Production,
/// }
///
/// #[tool_type(pattern = "^[a-z-]+$", max_length = 40)]
/// struct ServiceName(String);
///
/// #[tool_type]
/// struct Window {
///     /// Minutes from now.
///     #[arg(range = 0..=60, default = 0)]
///     start: u32,
///     /// Where.
///     environment: Environment,
/// }
///
/// #[tool_type]
/// enum Target {
///     All,
///     /// This one.
///     One(ServiceName),
///     /// These.
///     Some {
///         /// Their names.
///         names: Vec<ServiceName>,
///     },
/// }
/// ```
///
/// On the wire an enum without data is a word, a struct an object, a newtype what it holds, and an enum with
/// data `"all"`, `{ "one": .. }` or `{ "some": { .. } }`. Doc comments become descriptions.
///
/// | option | on | meaning |
/// |---|---|---|
/// | `range`, `min_length`, `max_length`, `pattern`, `one_of`, `min_items`, `max_items` | newtypes | as in `#[arg(..)]` |
/// | `rename_all = ".."` | enums | `snake_case` (the default), `kebab-case`, `camelCase`, `PascalCase`, `SCREAMING_SNAKE_CASE`, `lowercase`, `UPPERCASE` |
/// | `argument`, `result` | all | only that; for types whose parts can't be both |
/// | `crate = ::path` | all | as in `#[tool]` |
/// | `#[arg(rename = "..")]` | fields, variants | name on the wire |
/// | `#[arg(..)]` | fields | as on parameters; `reason` and `not_a_resource` for structs under `#[args]` |
pub use toolgate_macros::tool_type;

/// Lists tools and checks them against each other while compiling: names given twice, preconditions
/// and fallbacks on tools outside the set, fallbacks that risk more or take other arguments, and
/// preconditions in a circle.
///
/// `toolset![look, db::query]` is an expression of type [`StaticToolset`]; as an item it is written
/// `toolset! { pub static TOOLS = [look, db::query]; }`, which also writes a test, `toolset_tools::fits_together`:
/// it checks what types alone can tell, such as a precondition that asks for a field or a word that the other
/// tool never gives. A gate checks the same when it is built, and [`StaticToolset::check`] anywhere. Entries may carry `#[cfg(..)]`. Where this crate has
/// another name, the list starts with `crate = ::path;`.
pub use toolgate_macros::toolset;

pub use toolgate_core::call::{Code, Stage, ToolCall, ToolResult};
pub use toolgate_core::contract::{Repair, Repairs, SpecFault};
pub use toolgate_core::dialect::Dialect;
#[cfg(feature = "policy-file")]
pub use toolgate_core::gate::PolicyWatch;
pub use toolgate_core::gate::{BlockingError, BuildError, Gate, GateBuilder};
pub use toolgate_core::session::{CallLimits, Capabilities, Narrowing, Session, SessionOptions, Task};
pub use toolgate_core::spec::DynamicTool;
pub use toolgate_core::store::{MemoryStore, Store};
pub use toolgate_core::{
    alert, approval, call, clock, credential, dialect, gate, policy, provider, redact, resource, review, session, spec,
    store, taint, undo,
};
/// Programs that tools run: `ctx.command(..)`.
#[cfg(feature = "exec")]
pub use toolgate_exec as exec;
#[cfg(feature = "http")]
pub use toolgate_http as http;
#[cfg(feature = "sqlite")]
pub use toolgate_sqlite::SqliteStore;
