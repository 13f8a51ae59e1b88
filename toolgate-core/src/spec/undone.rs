//! The tool that undoes calls of another one: its name, risk and permissions, its question to a person. What it does
//! is the gate's.

use std::time::Duration;

use serde_json::json;

use super::dynamic::DynamicTool;
use super::facts::{Confirm, Repeat, Risk};
use super::registered::RegisteredTool;
use crate::contract::SpecFault;
use crate::tool::ToolError;

/// Least time that an undoing has.
const TIME: Duration = Duration::from_mins(1);

/// What is known of the tool whose call is undone.
#[derive(Debug)]
pub(crate) struct UndoneTool<'t> {
    pub(crate) name: &'t str,
    pub(crate) risk: Risk,
    pub(crate) permissions: Vec<String>,
    /// Whether a person is asked before its calls.
    pub(crate) asks: bool,
    pub(crate) timeout: Duration,
}

impl<'t> UndoneTool<'t> {
    pub(crate) fn of(tool: &'t RegisteredTool) -> Self {
        let spec = tool.spec;
        Self {
            name: spec.name,
            risk: spec.risk,
            permissions: spec.permissions.iter().map(|&permission| permission.to_owned()).collect(),
            asks: matches!(spec.confirm, Confirm::Ask(_)),
            timeout: spec.timeout,
        }
    }

    /// The tool that undoes its calls.
    pub(crate) fn undoing(self) -> Result<RegisteredTool, SpecFault> {
        let Self { name, risk, permissions, asks, timeout } = self;
        let tool = DynamicTool::new(name, "Undoes a call of this tool.", json!({"type": "object"}));
        let tool = tool.risk(risk, Repeat::Once).permissions(permissions).trusted().timeout(timeout.max(TIME));
        let tool = if asks {
            tool.confirm("Undo a call of this tool.")
        } else {
            tool.unconfirmed("calls of this tool are not confirmed either")
        };
        tool.handler(|_, _| async { Err::<serde_json::Value, _>(ToolError::no_effect("nothing to undo was given")) })
    }
}
