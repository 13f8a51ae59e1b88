//! What rules look at: a tool with its parts taken apart once, all tools together. Not the rules.

use std::sync::Arc;

use crate::contract::Part;
use crate::session::Capabilities;
use crate::spec::{RegisteredTool, StaticToolset, Toolset, ToolsetFault};

/// One tool.
#[derive(Debug)]
pub(super) struct Subject<'t> {
    pub(super) tool: &'t RegisteredTool,
    /// Its parameters and all within, in their order.
    pub(super) parts: Vec<Part<'t>>,
}

impl<'t> Subject<'t> {
    pub(super) fn of(tool: &'t RegisteredTool) -> Self {
        Self { tool, parts: tool.contract.parts() }
    }

    /// The parameters that are not the model's reason.
    pub(super) fn parameters(&self) -> impl Iterator<Item = &Part<'t>> {
        self.parts.iter().filter(|part| part.is_parameter() && !part.reason)
    }

    /// Whether a call can change something.
    pub(super) fn is_effectful(&self) -> bool {
        self.tool.spec.risk.is_effectful()
    }
}

/// All tools, and what sessions may do.
#[derive(Debug)]
pub(super) struct Whole<'t> {
    pub(super) subjects: Vec<Subject<'t>>,
    pub(super) grants: &'t [Capabilities],
}

/// What can be reviewed: a list of tools, checked as a set.
pub trait Reviewed {
    /// The tools.
    ///
    /// # Errors
    /// Tools that don't fit together.
    fn tools(self) -> Result<Vec<Arc<RegisteredTool>>, ToolsetFault>;
}

impl Reviewed for StaticToolset {
    fn tools(self) -> Result<Vec<Arc<RegisteredTool>>, ToolsetFault> {
        (self, Vec::new()).tools()
    }
}

impl Reviewed for &StaticToolset {
    fn tools(self) -> Result<Vec<Arc<RegisteredTool>>, ToolsetFault> {
        (*self).tools()
    }
}

/// A `toolset!` together with tools declared at run time.
impl Reviewed for (StaticToolset, Vec<RegisteredTool>) {
    fn tools(self) -> Result<Vec<Arc<RegisteredTool>>, ToolsetFault> {
        let (set, more) = self;
        Toolset::new(set.entries.iter().copied(), more)?.tools()
    }
}

impl Reviewed for Vec<RegisteredTool> {
    fn tools(self) -> Result<Vec<Arc<RegisteredTool>>, ToolsetFault> {
        Toolset::new([], self)?.tools()
    }
}

impl<const N: usize> Reviewed for [RegisteredTool; N] {
    fn tools(self) -> Result<Vec<Arc<RegisteredTool>>, ToolsetFault> {
        Vec::from(self).tools()
    }
}

impl Reviewed for Toolset {
    fn tools(self) -> Result<Vec<Arc<RegisteredTool>>, ToolsetFault> {
        (&self).tools()
    }
}

impl Reviewed for &Toolset {
    fn tools(self) -> Result<Vec<Arc<RegisteredTool>>, ToolsetFault> {
        Ok(self.iter().cloned().collect())
    }
}
