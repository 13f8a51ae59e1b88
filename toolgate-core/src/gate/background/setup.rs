//! What a gate is told of the background when it is put together, and the tools that it has beside its agent's.

use std::sync::Arc;

use super::Bounds;
use super::tools::{Behind, background_tools};
use crate::contract::SpecFault;
use crate::gate::reader::{is_builtin, reader_tool};
use crate::gate::{BuildError, GateBuilder};
use crate::spec::{RegisteredTool, ToolEntry, Toolset, ToolsetFault};
use crate::store::Store;

impl GateBuilder {
    /// How many calls may run in the background at once: of one session (8 by default), and of the gate (64).
    pub fn background(mut self, of_a_session: usize, of_the_gate: usize) -> Self {
        self.background = Bounds { of_a_session, of_the_gate };
        self
    }
}

/// The tools of the agent, and those that the gate has beside them.
pub(in crate::gate) fn all_tools(
    entries: Vec<ToolEntry>,
    mut tools: Vec<RegisteredTool>,
    store: &Arc<dyn Store>,
    tenant: &str,
    behind: &Behind,
) -> Result<Toolset, BuildError> {
    let refused = |fault| BuildError::Tools(ToolsetFault { faults: vec![fault] });
    let mut names = entries.iter().map(|entry| entry.spec.name).chain(tools.iter().map(|tool| tool.spec.name));
    if let Some(name) = names.find(|name| is_builtin(name)) {
        let text = format!("`{name}` is the name of a tool that every gate may have; give it another");
        return Err(refused(SpecFault::new(name, "name", "spec.reserved", text)));
    }
    let in_background =
        entries.iter().any(|entry| entry.spec.background) || tools.iter().any(|tool| tool.spec.background);
    tools.push(reader_tool(Arc::clone(store), tenant).map_err(refused)?);
    if in_background {
        tools.extend(background_tools(behind).map_err(refused)?);
    }
    Toolset::new(entries, tools).map_err(BuildError::Tools)
}
