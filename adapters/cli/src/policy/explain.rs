//! `policy explain`: what a policy file answers to one call, part by part, without a gate.

use std::io::{self, Write};

use serde::Deserialize;
use serde_json::{Map, Value, json};
use toolgate_core::json::value_of;
use toolgate_core::policy::file::{ExampleCall, Explanation, Layer, LayerAnswer, PolicyFile};
use toolgate_core::policy::{Mode, Policy as _};
use toolgate_core::spec::Toolset;

use super::args::ExplainArgs;
use super::need;
use crate::call::read_stdin;
use crate::out::{Failure, Verdict, put_json, stdout};
use crate::table::{self, Cell};
use crate::text::{BAD, DIM, GOOD, WARN, styled, visible};

pub(super) fn run(args: &ExplainArgs, json: bool, tools: &Toolset) -> Result<Verdict, Failure> {
    let policy = need(&args.file, Some(tools))?;
    let call = asked(args, &policy)?;
    let found = policy.explain(tools, &call).map_err(|why| Failure::No(visible(&why)))?;
    let mut out = stdout();
    if json {
        put_json(&mut out, &as_json(&policy, &call, &found)?)?;
    } else {
        put(&mut out, &policy, &call, &found)?;
    }
    Ok(Verdict::of(found.verdict != LayerAnswer::Deny))
}

/// A call as it may be written in JSON.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(alias = "tool_name", alias = "name")]
    tool: String,
    #[serde(default)]
    arguments: Value,
    task: Option<String>,
    task_id: Option<String>,
    session: Option<String>,
    principal: Option<String>,
    user: Option<String>,
}

impl Written {
    fn of_tool(tool: &str, arguments: Value) -> Self {
        let tool = tool.to_owned();
        Self { tool, arguments, task: None, task_id: None, session: None, principal: None, user: None }
    }
}

/// The call that is asked about. Options go before what its JSON says.
fn asked(args: &ExplainArgs, policy: &PolicyFile) -> Result<ExampleCall, Failure> {
    let written = written(args)?;
    let Some(task) = args.task.clone().or(written.task) else {
        let known: Vec<&str> = policy.task_types().collect();
        let text = format!("in which type of task? `--task` says it; the file has: {}", known.join(", "));
        return Err(Failure::Cannot(visible(&text)));
    };
    let call = ExampleCall::new(written.tool, written.arguments, task);
    Ok(ExampleCall {
        task_id: written.task_id.unwrap_or(call.task_id),
        session: written.session.unwrap_or(call.session),
        principal: args.principal.clone().or(written.principal).unwrap_or(call.principal),
        user: args.user.clone().or(written.user),
        ..call
    })
}

fn written(args: &ExplainArgs) -> Result<Written, Failure> {
    let wrong = |what: &str, why: &dyn std::fmt::Display| Failure::Cannot(visible(&format!("{what}: {why}")));
    let parsed = |text: &[u8]| value_of(text).map_err(|error| wrong("the JSON can't be read", &error));
    let is_whole = args.call == "-" || args.call.trim_start().starts_with('{');
    let mut written = match (is_whole, args.arguments.as_deref()) {
        (true, Some(_)) => return Err(Failure::Cannot("the call says its arguments already".to_owned())),
        (true, None) => {
            let text = if args.call == "-" { read_stdin()? } else { args.call.clone().into_bytes() };
            serde_json::from_value(parsed(&text)?).map_err(|error| wrong("this is no call", &error))?
        }
        (false, None) => Written::of_tool(&args.call, Value::Object(Map::new())),
        (false, Some("-")) => Written::of_tool(&args.call, parsed(&read_stdin()?)?),
        (false, Some(arguments)) => Written::of_tool(&args.call, parsed(arguments.as_bytes())?),
    };
    // Providers send arguments as a text.
    if let (true, Value::String(text)) = (is_whole, &written.arguments) {
        written.arguments = parsed(text.as_bytes())?;
    }
    Ok(written)
}

fn as_json(policy: &PolicyFile, call: &ExampleCall, found: &Explanation) -> Result<Value, Failure> {
    let value = |value: serde_json::Result<Value>| value.map_err(|error| Failure::Cannot(error.to_string()));
    let mut line = value(serde_json::to_value(found))?;
    if let Value::Object(fields) = &mut line {
        fields.insert("policy".to_owned(), json!(policy.version()));
        fields.insert("call".to_owned(), value(serde_json::to_value(call))?);
    }
    Ok(line)
}

fn put(out: &mut dyn Write, policy: &PolicyFile, call: &ExampleCall, found: &Explanation) -> io::Result<()> {
    let people = if found.approvers > 1 { format!(", by {} people", found.approvers) } else { String::new() };
    let verdict = styled(style(found.verdict), found.verdict.as_str());
    writeln!(out, "{verdict}: {} ({}){people}", visible(&found.reason), visible(&found.rule))?;
    let asked = format!("{}: {} in a task of type {}", policy.version(), call.tool, call.task);
    writeln!(out, "{}", styled(DIM, &visible(&asked)))?;
    if !policy.task_types().any(|known| known == call.task) {
        let known: Vec<&str> = policy.task_types().collect();
        writeln!(out, "the file has these types of tasks: {}", visible(&known.join(", ")))?;
    }
    writeln!(out)?;
    let rows: Vec<Vec<Cell>> = found.layers.iter().map(row).collect();
    table::put(out, &["answer", "part", "mode", ">line", "rule", "why"], &rows)?;
    match found.would_refuse.len() {
        0 => Ok(()),
        count => writeln!(out, "\n{count} of them would refuse or ask if they were enforced"),
    }
}

fn row(layer: &Layer) -> Vec<Cell> {
    let Layer { name, answer, mode, rule, why, line, approvers } = layer;
    let why = if *approvers > 1 { format!("{why}, by {approvers} people") } else { why.clone() };
    let line = if *line == 0 { "-".to_owned() } else { line.to_string() };
    vec![
        Cell::styled(style(*answer), answer.as_str()),
        Cell::plain(name),
        if *mode == Mode::Enforce { Cell::plain(mode.as_str()) } else { Cell::styled(WARN, mode.as_str()) },
        Cell::plain(&line),
        Cell::plain(rule),
        Cell::plain(&why),
    ]
}

fn style(answer: LayerAnswer) -> anstyle::Style {
    match answer {
        LayerAnswer::Allow => GOOD,
        LayerAnswer::Ask => WARN,
        LayerAnswer::Deny => BAD,
        LayerAnswer::Silent => DIM,
    }
}
