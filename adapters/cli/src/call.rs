//! `call`: one call through the agent's own gate, as if a model had made it. Every stage applies.

use std::io::{self, Read as _, Write};

use toolgate_core::call::{ToolCall, ToolResult};

use crate::args::CallArgs;
use crate::host::Host;
use crate::out::{Failure, Verdict, put_json, stdout};
use crate::text::{BOLD, code_style, styled, visible};
use crate::tools::{need_host, wanted};

/// Most bytes that are read from stdin; more than the gate itself takes.
const MOST: u64 = 16 * 1024 * 1024;

pub(crate) async fn run(args: &CallArgs, host: Option<&Host>) -> Result<Verdict, Failure> {
    let host = need_host(host, &args.within)?;
    let task = host.task(&wanted(&args.within)).map_err(Failure::Cannot)?;
    let mut call = match args.arguments.as_deref() {
        None => ToolCall::without_arguments(&args.tool),
        Some("-") => ToolCall::new(&args.tool, read_stdin()?),
        Some(arguments) => ToolCall::new(&args.tool, arguments),
    };
    call.reasoning.clone_from(&args.reason);
    call.operation.clone_from(&args.operation);
    call.key.clone_from(&args.key);
    let result = task.call(call).await;
    tell(&result, args.within.common.json)
}

/// What stands on stdin.
pub(crate) fn read_stdin() -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    let read = io::stdin().take(MOST).read_to_end(&mut text);
    read.map_err(|error| Failure::Cannot(format!("stdin can't be read: {error}")))?;
    Ok(text)
}

/// Prints the answer to a call; whether it is yes.
pub(crate) fn tell(result: &ToolResult, json: bool) -> Result<Verdict, Failure> {
    let mut out = stdout();
    if json {
        put_json(&mut out, &result.to_json())?;
    } else {
        put(&mut out, result)?;
    }
    Ok(Verdict::of(result.ok))
}

fn put(out: &mut dyn Write, result: &ToolResult) -> io::Result<()> {
    let code = result.code.as_str();
    writeln!(
        out,
        "{} at {}, effect {}, {} ms, {}",
        styled(code_style(code), code),
        result.stage,
        result.effect.as_str(),
        result.duration_ms,
        styled(BOLD, &visible(&result.call_id)),
    )?;
    result.message.lines().try_for_each(|line| writeln!(out, "{}", visible(line)))?;
    // The message tells the problems already.
    for (name, value) in result.details.iter().filter(|(name, _)| *name != "problems") {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        writeln!(out, "  {}: {}", visible(name), visible(&value))?;
    }
    if let Some(data) = &result.data {
        for line in format!("{data:#}").lines() {
            writeln!(out, "{}", visible(line))?;
        }
    }
    if result.truncated { writeln!(out, "(a part of the result)") } else { Ok(()) }
}
