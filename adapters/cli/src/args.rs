//! The command line as it is written, and which function carries out what. Not the commands.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{ArgMatches, Args, Command, CommandFactory as _, FromArgMatches, Parser, Subcommand, ValueEnum};
use toolgate_core::clock::{Clock as _, SystemClock};
use toolgate_core::dialect::Dialect;
use toolgate_core::store::Millis;

use crate::host::Host;
use crate::ledger::LedgerArgs;
use crate::out::exit_code;
use crate::policy::PolicyArgs;
use crate::text::parse_time;
use crate::undo::UndoArgs;
use crate::{approvals, audit, call, doctor, ledger, lint, policy, replay, resume, tasks, tools, undo};

#[derive(Debug, Parser)]
#[command(name = "toolgate", version, about = "Looks at and answers what agents do through toolgate.", after_help = EXITS)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    pub(crate) command: Commands,
}

impl CommandLine {
    /// Reads a command line. `--db` and `--json` may stand before and after the command's name. An agent's binary
    /// goes by its own name.
    pub(crate) fn read(args: Vec<OsString>, host: Option<&Host>) -> Result<Self, clap::Error> {
        let mut command = Common::augment_args(Self::command());
        if let Some(host) = host {
            let path = args.first().map(Path::new).and_then(Path::file_name);
            let name = path.map_or_else(|| "agent".to_owned(), |name| name.to_string_lossy().into_owned());
            let toolgate = concat!("toolgate ", env!("CARGO_PKG_VERSION"));
            let version = host.version_text().map_or(format!("({toolgate})"), |own| format!("{own} ({toolgate})"));
            command = command.name(name).version(version);
        }
        Self::from_arg_matches(&command.try_get_matches_from(args)?)
    }
}

const EXITS: &str = "Exit codes: 0 done, 1 the answer is no, 2 it can't be carried out.";

/// The commands, to be flattened into the subcommands of an agent's own parser:
///
/// ```
/// #[derive(clap::Subcommand)]
/// enum Mine {
///     /// Starts the agent.
///     Serve,
///     #[command(flatten)]
///     Gate(toolgate_cli::Commands),
/// }
/// ```
#[derive(Debug)]
pub struct Commands(Box<Which>);

impl Commands {
    /// Carries the command out. `host` brings an agent's tools.
    pub async fn run(self, host: Option<&Host>) -> ExitCode {
        exit_code(match &*self.0 {
            Which::Tools(args) => tools::run(args, host),
            Which::Lint(args) => lint::run(args, host),
            Which::Call(args) => call::run(args, host).await,
            Which::Approvals(args) => approvals::run(&args.command, &args.common, host).await,
            Which::Audit(args) => audit::run(args, host).await,
            Which::Tasks(args) => tasks::run(args, host).await,
            Which::Resume(args) => resume::run(args, host).await,
            Which::Undo(args) => undo::run(args, host).await,
            Which::Replay(args) => replay::run(args, host).await,
            Which::Policy(args) => policy::run(args, host),
            Which::Ledger(args) => ledger::run(args, host).await,
            Which::Doctor(common) => doctor::run(common, host).await,
        })
    }
}

impl FromArgMatches for Commands {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Which::from_arg_matches(matches).map(|which| Self(Box::new(which)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
}

impl Subcommand for Commands {
    fn augment_subcommands(command: Command) -> Command {
        Which::augment_subcommands(command)
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Which::augment_subcommands_for_update(command)
    }

    fn has_subcommand(name: &str) -> bool {
        Which::has_subcommand(name)
    }
}

#[derive(Debug, Subcommand)]
enum Which {
    /// Lists the agent's tools with their facts (inside the agent's binary).
    Tools(ToolsArgs),
    /// Reviews the agent's tools: what a careful reader would ask about (inside the agent's binary).
    Lint(LintArgs),
    /// Makes one call through the gate (inside the agent's binary).
    Call(CallArgs),
    /// Lists, shows and answers requests for approval.
    Approvals(ApprovalsArgs),
    /// Lists calls, tells one call's story, counts.
    Audit(AuditArgs),
    /// Lists stopped tasks, and lets one go on.
    Tasks(TasksArgs),
    /// Dispatches the call of an answered ticket (inside the agent's binary).
    Resume(ResumeArgs),
    /// Puts back what a call, or a task, replaced in the workspace.
    Undo(UndoArgs),
    /// Runs recorded cases against the agent's tools (inside the agent's binary).
    Replay(ReplayArgs),
    /// Checks, explains, tests and compares policy files.
    Policy(PolicyArgs),
    /// Lists operations, resolves what is in doubt, lets go of what is old.
    Ledger(LedgerArgs),
    /// Says how the database is.
    Doctor(Common),
}

// No docstring: clap would say it in the help of every command.
#[derive(Debug, Clone, Args)]
pub(crate) struct Common {
    /// Print one JSON object a line
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// The gate's SQLite file. If left out: the one that `TOOLGATE_DB` names, but inside an agent's binary its gate's
    /// own store
    #[arg(long, global = true, value_name = "PATH")]
    pub(crate) db: Option<PathBuf>,
}

/// Options of the commands that use the agent's own gate.
#[derive(Debug, Clone, Args)]
pub(crate) struct Within {
    #[command(flatten)]
    pub(crate) common: Common,
    /// The session; the agent's choice if left out
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,
    /// The task; the agent's choice if left out
    #[arg(long, value_name = "NAME")]
    pub(crate) task: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ToolsArgs {
    #[command(flatten)]
    pub(crate) within: Within,
    /// Print this tool's description and JSON schema
    #[arg(long, value_name = "NAME")]
    pub(crate) schema: Option<String>,
    /// Print the tools as this provider takes them: openai, openai-strict, anthropic, anthropic-strict, gemini or mcp
    #[arg(long, value_name = "NAME", value_parser = dialect)]
    pub(crate) dialect: Option<Dialect>,
    /// All tools of the gate, not only those of the task
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LintArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    /// How findings are printed; `json` is what `--json` says
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// What is right here, rule by rule and with reasons: TOML, or JSON where the name ends so
    #[arg(long, value_name = "FILE")]
    pub(crate) allow: Option<PathBuf>,
    /// Print the rules instead
    #[arg(long, conflicts_with = "allow")]
    pub(crate) rules: bool,
}

/// How findings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One JSON object a line
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct CallArgs {
    /// Name of the tool
    pub(crate) tool: String,
    /// Arguments as a JSON object; `-` reads them from stdin
    #[arg(value_name = "JSON", allow_hyphen_values = true)]
    pub(crate) arguments: Option<String>,
    #[command(flatten)]
    pub(crate) within: Within,
    /// Why the call is made
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
    /// The business operation it belongs to
    #[arg(long, value_name = "NAME")]
    pub(crate) operation: Option<String>,
    /// The host's idempotency key
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// The ticket
    pub(crate) ticket: String,
    #[command(flatten)]
    pub(crate) within: Within,
}

#[derive(Debug, Args)]
pub(crate) struct ApprovalsArgs {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: ApprovalsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ApprovalsCommand {
    /// Lists pending tickets.
    List {
        /// Decided and expired tickets, too
        #[arg(long)]
        all: bool,
    },
    /// Shows everything that one ticket asks for.
    Show {
        /// The ticket
        ticket: String,
    },
    /// Says yes, once, for exactly this call.
    Approve(DecisionArgs),
    /// Says no.
    Deny(DecisionArgs),
    /// Shows pending tickets one after another and asks, on a terminal.
    #[command(visible_alias = "answer")]
    Watch(WatchArgs),
}

/// Who decides.
#[derive(Debug, Args)]
pub(crate) struct Person {
    /// Your name, for the record. If left out: USER, LOGNAME, or the system's name of the user
    #[arg(long, value_name = "NAME")]
    pub(crate) by: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct DecisionArgs {
    /// The ticket
    pub(crate) ticket: String,
    #[command(flatten)]
    pub(crate) person: Person,
    /// What to record along with it
    #[arg(long, value_name = "TEXT")]
    pub(crate) comment: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    #[command(flatten)]
    pub(crate) person: Person,
    /// End when no ticket is left, instead of waiting for the next
    #[arg(long)]
    pub(crate) once: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: AuditCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// Lists calls, newest first.
    List {
        #[command(flatten)]
        filter: FilterArgs,
        /// Most calls
        #[arg(long, value_name = "N", default_value_t = 100)]
        limit: usize,
    },
    /// Tells one call's whole story.
    Show {
        /// The call
        call: String,
    },
    /// Counts calls by code, stage, tool and effect.
    Stats {
        #[command(flatten)]
        filter: FilterArgs,
        /// Only the newest calls
        #[arg(long, value_name = "N")]
        limit: Option<usize>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct FilterArgs {
    /// Of this session
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,
    /// Of this task
    #[arg(long, value_name = "NAME")]
    pub(crate) task: Option<String>,
    /// Of this tool
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,
    /// With this code, such as `PERMISSION_DENIED`
    #[arg(long, value_name = "CODE")]
    pub(crate) code: Option<String>,
    /// In this state, such as `UNKNOWN`
    #[arg(long, value_name = "STATE")]
    pub(crate) state: Option<String>,
    /// Received then or later: `2026-11-30T14:00:00Z`, `2h`
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) since: Option<Millis>,
    /// Received before
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) until: Option<Millis>,
}

pub(crate) fn moment(text: &str) -> Result<Millis, String> {
    parse_time(text, SystemClock.now_ms())
}

#[derive(Debug, Args)]
pub(crate) struct TasksArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: TasksCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TasksCommand {
    /// Lists tasks whose effectful calls are stopped.
    List,
    /// Lets effectful calls through again.
    Resume {
        /// The session
        session: String,
        /// Only what this task stopped
        #[arg(long, value_name = "NAME")]
        task: Option<String>,
        #[command(flatten)]
        person: Person,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// Cases: a JSON array, or one object a line
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) within: Within,
}

fn dialect(word: &str) -> Result<Dialect, String> {
    let known: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.as_str()).collect();
    Dialect::parse(word).ok_or_else(|| format!("expected one of: {}", known.join(", ")))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use toolgate_core::gate::Gate;
    use toolgate_core::store::MemoryStore;

    use super::*;

    #[tokio::test]
    async fn an_agents_binary_says_its_own_name_and_version() {
        let gate = Gate::builder(Arc::new(MemoryStore::new().unwrap())).build().await.unwrap();
        let said = |host: &Host| {
            let args = ["bin/my-agent", "--version"].map(OsString::from).to_vec();
            CommandLine::read(args, Some(host)).unwrap_err().to_string()
        };
        let toolgate = concat!("(toolgate ", env!("CARGO_PKG_VERSION"), ")\n");
        assert_eq!(said(&Host::new(gate.clone())), format!("my-agent {toolgate}"));
        assert_eq!(said(&Host::new(gate).version("1.2.3")), format!("my-agent 1.2.3 {toolgate}"));
    }
}
