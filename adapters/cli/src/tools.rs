//! `tools`: what an agent's gate offers, with the facts of each tool. Not for a bare database, which
//! holds no tools.

use std::io::{self, Write};
use std::sync::Arc;

use serde_json::{Value, json};
use toolgate_core::dialect::ToolsForModel;
use toolgate_core::spec::{Confirm, RegisteredTool, Repeat};

use crate::args::{Common, ToolsArgs, Within};
use crate::host::{Host, Wanted};
use crate::out::{Failure, Verdict, put_json, stdout};
use crate::table::{self, Cell};
use crate::text::{BOLD, WARN, ascii_json, styled, visible};

/// The agent's binary, or why this isn't one.
pub(crate) fn need_host<'a>(host: Option<&'a Host>, within: &Within) -> Result<&'a Host, Failure> {
    need_tools(host, &within.common)
}

/// The same for a command that works in no task.
pub(crate) fn need_tools<'a>(host: Option<&'a Host>, common: &Common) -> Result<&'a Host, Failure> {
    let text = "this program holds no tools; run this inside your agent's binary (`toolgate_cli::run` in its `main`)";
    let host = host.ok_or_else(|| Failure::Cannot(text.to_owned()))?;
    if common.db.is_some() {
        let text = "this works on the agent's own gate and its store; leave `--db` out";
        return Err(Failure::Cannot(text.to_owned()));
    }
    Ok(host)
}

pub(crate) fn wanted(within: &Within) -> Wanted {
    Wanted { session: within.session.clone(), task: within.task.clone() }
}

pub(crate) fn run(args: &ToolsArgs, host: Option<&Host>) -> Result<Verdict, Failure> {
    let host = need_host(host, &args.within)?;
    let tools: Vec<Arc<RegisteredTool>> = if args.all || !host.has_tasks() {
        host.gate().tools().iter().cloned().collect()
    } else {
        host.task(&wanted(&args.within)).map_err(Failure::Cannot)?.tools()
    };
    let mut out = stdout();
    if let Some(dialect) = args.dialect {
        let wanted = named(&tools, args.schema.as_deref())?;
        in_dialect(&mut out, &ToolsForModel::new(dialect, wanted), args.within.common.json)?;
    } else if let Some(name) = &args.schema {
        for tool in named(&tools, Some(name))? {
            schema(&mut out, tool, args.within.common.json)?;
        }
    } else if args.within.common.json {
        tools.iter().try_for_each(|tool| put_json(&mut out, &as_json(tool)))?;
    } else {
        list(&mut out, &tools)?;
    }
    Ok(Verdict::Yes)
}

/// The tool of that name, or all of them.
fn named<'t>(tools: &'t [Arc<RegisteredTool>], name: Option<&str>) -> Result<Vec<&'t RegisteredTool>, Failure> {
    let wanted: Vec<&RegisteredTool> =
        tools.iter().map(|tool| &**tool).filter(|tool| name.is_none_or(|name| tool.spec.name == name)).collect();
    match name {
        Some(name) if wanted.is_empty() => {
            let names: Vec<&str> = tools.iter().map(|tool| tool.spec.name).collect();
            Err(Failure::No(format!("no tool `{}` here, there are: {}", visible(name), names.join(", "))))
        }
        _ => Ok(wanted),
    }
}

/// What stands under `tools` in a request, and on stderr what could only be said in words, or not at all.
fn in_dialect(out: &mut dyn Write, tools: &ToolsForModel, json: bool) -> Result<(), Failure> {
    let notes = tools.tools().iter().flat_map(|tool| tool.schema.notes.iter().map(move |note| (&tool.tool, note)));
    if json {
        let notes: Value = notes
            .map(|(tool, note)| {
                json!({"tool": tool, "pointer": note.pointer, "keyword": note.keyword, "words": note.words})
            })
            .collect();
        let refused: Value = tools.refused().iter().map(|refused| Value::from(refused.to_string())).collect();
        let dialect = tools.dialect();
        let line = format!(r#"{{"dialect":"{dialect}","tools":{tools},"notes":{notes},"refused":{refused}}}"#);
        writeln!(out, "{}", ascii_json(&line))?;
        return Ok(());
    }
    for line in format!("{tools:#}").lines() {
        writeln!(out, "{}", ascii_json(line))?;
    }
    let mut err = std::io::stderr();
    for (tool, note) in notes {
        writeln!(err, "{}: {}", visible(tool), visible(&note.to_string()))?;
    }
    for refused in tools.refused() {
        writeln!(err, "not among them: {}", visible(&refused.to_string()))?;
    }
    Ok(())
}

fn list(out: &mut dyn Write, tools: &[Arc<RegisteredTool>]) -> io::Result<()> {
    if tools.is_empty() {
        return writeln!(out, "no tools");
    }
    let row = |tool: &Arc<RegisteredTool>| {
        let spec = tool.spec;
        let risk = spec.risk.as_str();
        let first: Vec<&str> = spec.preconditions.iter().map(|precondition| precondition.tool).collect();
        vec![
            Cell::styled(BOLD, spec.name),
            if risk == "dangerous" { Cell::styled(WARN, risk) } else { Cell::plain(risk) },
            Cell::plain(&or_dash(&spec.permissions.join(" "))),
            Cell::plain(spec.repeat.as_str()),
            Cell::plain(&format!("{:?}", spec.timeout)),
            Cell::plain(spec.failure_policy.as_str()),
            Cell::plain(&or_dash(&first.join(" "))),
            Cell::plain(&confirm(&spec.confirm)),
        ]
    };
    let rows: Vec<Vec<Cell>> = tools.iter().map(row).collect();
    let names = ["tool", "risk", "permissions", "repeat", "timeout", "on failure", "needs first", "confirm"];
    table::put(out, &names, &rows)
}

fn or_dash(text: &str) -> String {
    if text.is_empty() { "-".to_owned() } else { text.to_owned() }
}

fn confirm(confirm: &Confirm) -> String {
    match confirm {
        Confirm::Ask(text) => (*text).to_owned(),
        Confirm::Unconfirmed(reason) => format!("not asked: {reason}"),
        Confirm::NotNeeded => "-".to_owned(),
    }
}

fn schema(out: &mut dyn Write, tool: &RegisteredTool, json: bool) -> Result<(), Failure> {
    let schema = schema_of(tool);
    let description = tool.spec.description();
    if json {
        put_json(out, &json!({"name": tool.spec.name, "description": description, "schema": schema}))?;
        return Ok(());
    }
    writeln!(out, "{}", styled(BOLD, tool.spec.name))?;
    for line in description.lines() {
        writeln!(out, "{}", visible(line))?;
    }
    writeln!(out)?;
    for line in format!("{schema:#}").lines() {
        writeln!(out, "{}", visible(line))?;
    }
    Ok(())
}

fn schema_of(tool: &RegisteredTool) -> Value {
    toolgate_core::json::value_of(&tool.schema).unwrap_or_else(|_| Value::String(tool.schema.clone()))
}

fn as_json(tool: &RegisteredTool) -> Value {
    let spec = tool.spec;
    let (asks, text) = match spec.confirm {
        Confirm::Ask(text) => (true, Some(text)),
        Confirm::Unconfirmed(reason) => (false, Some(reason)),
        Confirm::NotNeeded => (false, None),
    };
    let repeatable = match spec.repeat {
        Repeat::Repeatable(why) => Some(why),
        _ => None,
    };
    let preconditions: Vec<Value> =
        spec.preconditions.iter().map(|first| json!({"tool": first.tool, "when": first.when})).collect();
    json!({
        "name": spec.name,
        "title": spec.title,
        "description": spec.description(),
        "risk": spec.risk.as_str(),
        "permissions": spec.permissions,
        "repeat": spec.repeat.as_str(),
        "repeatable_why": repeatable,
        "background": spec.background,
        "timeout_ms": u64::try_from(spec.timeout.as_millis()).unwrap_or(u64::MAX),
        "confirm": asks,
        "confirm_text": text,
        "preconditions": preconditions,
        "failure_policy": spec.failure_policy.as_str(),
        "result_limit": spec.result_limit,
        "output": spec.output.as_str(),
        "destinations": tool.destinations,
        "contract": tool.digest,
        "source": spec.source,
        "schema": schema_of(tool),
    })
}
