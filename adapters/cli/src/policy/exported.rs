//! Tools as `tools --all --json` printed them, as far as a policy file is held against tools: names, risks, permissions
//! and arguments. Nothing of them can run, and which arguments are paths isn't in that form, so they are for checks only.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};
use toolgate_core::gate::READER;
use toolgate_core::spec::{DynamicTool, RegisteredTool, Repeat, Risk, Toolset};
use toolgate_core::tool::ToolError;

use crate::out::Failure;
use crate::text::visible;

/// What is read of one tool; the rest of the line says nothing about policies.
#[derive(Debug, Deserialize)]
struct Exported {
    name: String,
    risk: String,
    permissions: Vec<String>,
    schema: Value,
}

pub(super) fn read(path: &Path) -> Result<Toolset, Failure> {
    let cannot = |text: String| {
        let place = path.display();
        Failure::Cannot(visible(&format!(
            "the tools `{place}` can't be used: {text}; they are what the agent's `tools --all --json` prints"
        )))
    };
    let text = std::fs::read_to_string(path).map_err(|error| cannot(error.to_string()))?;
    let mut tools = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let tool = tool(line).map_err(|error| cannot(format!("line {}: {error}", index + 1)))?;
        tools.push(tool);
    }
    // Every gate has it beside the tools of its agent.
    if !tools.iter().any(|tool| tool.spec.name == READER) {
        let schema = json!({"type": "object"});
        let exported = Exported { name: READER.to_owned(), risk: "read".to_owned(), permissions: Vec::new(), schema };
        tools.push(registered(exported).map_err(&cannot)?);
    }
    Toolset::new([], tools).map_err(|fault| cannot(fault.to_string()))
}

fn tool(line: &str) -> Result<RegisteredTool, String> {
    let value = toolgate_core::json::value_of(line).map_err(|error| error.to_string())?;
    registered(serde_json::from_value(value).map_err(|error| error.to_string())?)
}

fn registered(exported: Exported) -> Result<RegisteredTool, String> {
    let Exported { name, risk, permissions, schema } = exported;
    let risk = Risk::parse(&risk).ok_or_else(|| {
        let known: Vec<&str> = Risk::ALL.iter().map(|risk| risk.as_str()).collect();
        format!("`{name}` has the risk `{risk}`, which is none of: {}", known.join(", "))
    })?;
    let repeat = if risk.is_effectful() { Repeat::Once } else { Repeat::Reads };
    let tool = DynamicTool::new(name, "Only checked.", schema).risk(risk, repeat).permissions(permissions);
    let tool = tool.unconfirmed("it never runs");
    tool.handler(|_, _| async { Err::<Value, _>(ToolError::no_effect("only checked")) })
        .map_err(|fault| fault.to_string())
}
