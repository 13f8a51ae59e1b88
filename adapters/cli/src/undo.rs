//! `undo CALL` and `undo --task T`: shows what comes back, then makes the undoing, a call of its own, in the agent's
//! gate or in one that holds no tools. Not what can be undone, which is the gate's.

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use toolgate_core::approval::Decision;
use toolgate_core::call::{Code, ToolResult};
use toolgate_core::gate::{Gate, UndoChange};
use toolgate_core::resource::Workspace;
use toolgate_core::session::{Capabilities, SessionOptions, Task};
use toolgate_core::spec::Risk;
use toolgate_core::store::{CallFilter, CallRecord};

use crate::args::{Common, Person};
use crate::call::tell;
use crate::decide::{decide, name_of, writing};
use crate::host::{Host, Wanted};
use crate::out::{Failure, Verdict, put_json, stdout};
use crate::prompt::has_terminal;
use crate::text::visible;

/// Who undoes where there is no agent.
const OPERATOR: &str = "operator";

#[derive(Debug, Args)]
pub(crate) struct UndoArgs {
    /// The call
    #[arg(required_unless_present = "task", conflicts_with = "task")]
    pub(crate) call: Option<String>,
    #[command(flatten)]
    pub(crate) common: Common,
    /// All calls of this task whose changes stand, newest first, up to the first that can't be undone
    #[arg(long, value_name = "NAME")]
    pub(crate) task: Option<String>,
    /// The session of the task
    #[arg(long, value_name = "NAME", requires = "task")]
    pub(crate) session: Option<String>,
    /// Only show what would come back
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Don't ask; where the call was confirmed, this is the yes to its undoing
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) person: Person,
    /// The folder of the call's workspace. If left out: where the agent had it
    #[arg(long, value_name = "PATH")]
    pub(crate) workspace: Option<PathBuf>,
}

/// The gate that undoes, and in which task.
struct Desk {
    gate: Gate,
    task: Task,
    by: String,
}

pub(crate) async fn run(args: &UndoArgs, host: Option<&Host>) -> Result<Verdict, Failure> {
    let by = name_of(&args.person)?;
    let agent = host.filter(|_| args.common.db.is_none());
    let gate = match agent {
        Some(host) => host.gate().clone(),
        None => {
            let built = Gate::builder(writing(&args.common, host)?).build().await;
            built.map_err(|error| Failure::Cannot(error.to_string()))?
        }
    };
    let calls = calls(args, &gate).await?;
    let Some(newest) = calls.first() else {
        return Err(Failure::No("no call of this task has changes that stand".to_owned()));
    };
    let task = match agent {
        Some(host) => {
            let wanted = Wanted { session: Some(newest.session.clone()), task: Some(newest.task.clone()) };
            host.task(&wanted).map_err(Failure::Cannot)?
        }
        None => operators_task(args, &gate, newest, &by)?,
    };
    let desk = Desk { gate, task, by };
    let mut verdict = Verdict::Yes;
    for (index, call) in calls.iter().enumerate() {
        verdict = one(args, &desk, call).await?;
        if verdict == Verdict::No {
            let left: Vec<&str> = calls.iter().skip(index + 1).map(|call| call.call_id.as_str()).collect();
            if !left.is_empty() && !args.common.json {
                writeln!(stdout(), "not looked at: {}", visible(&left.join(", ")))?;
            }
            break;
        }
        if args.dry_run && calls.len() > 1 {
            // What comes after it shows only once this one is undone.
            let rest = calls.len() - 1;
            if !args.common.json {
                writeln!(stdout(), "then {rest} older calls")?;
            }
            break;
        }
    }
    Ok(verdict)
}

/// The calls to undo, in order.
async fn calls(args: &UndoArgs, gate: &Gate) -> Result<Vec<CallRecord>, Failure> {
    let names = match (&args.call, &args.task) {
        (Some(call), _) => vec![call.clone()],
        (None, Some(task)) => {
            let session = session_of(args, gate, task).await?;
            gate.standing_calls(&session, task).await?
        }
        (None, None) => Vec::new(),
    };
    let mut calls = Vec::new();
    for name in names {
        let Some(story) = gate.store().call(&name).await? else {
            return Err(Failure::No(format!("no call `{}` in this database", visible(&name))));
        };
        calls.push(story.record);
    }
    Ok(calls)
}

/// The session of a task, where only one has a task of that name.
async fn session_of(args: &UndoArgs, gate: &Gate, task: &str) -> Result<String, Failure> {
    if let Some(session) = &args.session {
        return Ok(session.clone());
    }
    let filter = CallFilter { task: Some(task.to_owned()), ..CallFilter::default() };
    let sessions: BTreeSet<String> = gate.store().calls(&filter).await?.into_iter().map(|call| call.session).collect();
    let mut sessions = sessions.into_iter();
    match (sessions.next(), sessions.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(Failure::No(format!("no call of a task `{}` in this database", visible(task)))),
        (Some(_), Some(_)) => {
            Err(Failure::Cannot(format!("several sessions have a task `{}`; give `--session NAME`", visible(task))))
        }
    }
}

/// A task of the person's own, in the workspace of the call.
fn operators_task(args: &UndoArgs, gate: &Gate, call: &CallRecord, by: &str) -> Result<Task, Failure> {
    let may = Capabilities::none().allow_tools(["*"]).allow_risks(Risk::ALL);
    let may = may.permissions(["*"]).readable(["."]).writable(["."]);
    let mut options = SessionOptions::new(OPERATOR).user(by).capabilities(may);
    if let Some(root) = args.workspace.clone().or_else(|| gate.workspace_of(&call.call_id)) {
        let shown = visible(&root.to_string_lossy());
        let opened = Workspace::open(&root)
            .map_err(|error| Failure::Cannot(format!("the workspace `{shown}` can't be opened: {error}")))?;
        options = options.workspace(opened);
    }
    let session = gate.session(options).map_err(|error| Failure::Cannot(error.to_string()))?;
    Ok(session.task("undo", format!("undo-{}", call.task)))
}

async fn one(args: &UndoArgs, desk: &Desk, call: &CallRecord) -> Result<Verdict, Failure> {
    let id = call.call_id.as_str();
    let changes = match desk.gate.plan_undo(&desk.task, id).await {
        Ok(changes) => changes,
        // Inside an undoing the refusal is recorded, too.
        Err(refused) if args.dry_run => return tell(&refused, args.common.json),
        Err(_) => return tell(&desk.gate.undo(&desk.task, id).await, args.common.json),
    };
    show(args, call, &changes)?;
    if args.dry_run {
        return Ok(Verdict::Yes);
    }
    if !args.yes && !says_undo()? {
        return Err(Failure::No("nothing was undone".to_owned()));
    }
    let result = desk.gate.undo(&desk.task, id).await;
    let result = match result.ticket().filter(|_| result.code == Code::ConfirmationRequired) {
        Some(ticket) => approved(desk, ticket).await?,
        None => result,
    };
    tell(&result, args.common.json)
}

/// The person at the command has said yes already, seeing the same.
async fn approved(desk: &Desk, ticket: &str) -> Result<ToolResult, Failure> {
    let yes = Decision { approve: true, by: desk.by.clone(), comment: None };
    let _ = decide(&**desk.gate.store(), desk.gate.redactor(), ticket, &yes).await?;
    Ok(desk.task.resume(ticket).await)
}

fn bytes(size: Option<u64>) -> String {
    size.map_or_else(|| "no file".to_owned(), |size| format!("{size} bytes"))
}

fn show(args: &UndoArgs, call: &CallRecord, changes: &[UndoChange]) -> io::Result<()> {
    let mut out = stdout();
    if args.common.json {
        if !args.dry_run {
            return Ok(());
        }
        let files = changes.iter().map(|change| {
            let UndoChange { path, word, bytes_now, bytes_then } = change;
            json!({"path": path, "is": word, "bytes_now": bytes_now, "bytes_then": bytes_then})
        });
        return put_json(
            &mut out,
            &json!({"call": call.call_id, "tool": call.tool, "files": files.collect::<Vec<_>>()}),
        );
    }
    writeln!(out, "call {} of {} is undone:", visible(&call.call_id), visible(&call.tool))?;
    for change in changes {
        let (now, then) = (bytes(change.bytes_now), bytes(change.bytes_then));
        writeln!(out, "  {} is {}: now {now}, then {then}", visible(&change.path), change.word)?;
    }
    Ok(())
}

fn says_undo() -> Result<bool, Failure> {
    if !has_terminal() {
        return Err(Failure::Cannot("no terminal to ask on; give `--yes`, or `--dry-run` to look only".to_owned()));
    }
    let mut err = io::stderr();
    write!(err, "Type `undo` to do it: ")?;
    err.flush()?;
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    Ok(line.trim() == "undo")
}
