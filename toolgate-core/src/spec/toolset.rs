//! The tools of one gate, checked as a whole: what `toolset!` proves at compile time for annotated
//! functions is checked here for every tool, whatever it came from.

use std::collections::HashMap;
use std::sync::Arc;

use toolgate_expr::{Step, Type, did_you_mean};

use super::facts::FailurePolicy;
use super::late;
use super::registered::{CompiledPrecondition, RegisteredTool};
use super::tool_spec::ToolEntry;
use crate::contract::SpecFault;

/// What is wrong with a set of tools; every fault at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolsetFault {
    /// One per fault.
    pub faults: Vec<SpecFault>,
}

impl std::fmt::Display for ToolsetFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let lines: Vec<String> = self.faults.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for ToolsetFault {}

/// The tools of one gate, in the order they were given.
#[derive(Debug, Default)]
pub struct Toolset {
    tools: Vec<Arc<RegisteredTool>>,
    by_name: HashMap<&'static str, usize>,
    /// Paths of a tool's result that preconditions of other tools read, for tools that any looks at.
    watched: HashMap<&'static str, Vec<Vec<Step>>>,
}

impl Toolset {
    /// Checks tools as a set.
    ///
    /// # Errors
    /// Every declaration that can't be enforced, names that stand twice, preconditions and fallbacks
    /// that lead nowhere, to higher risk or in a circle, expressions that ask for what isn't there.
    pub fn new(
        entries: impl IntoIterator<Item = ToolEntry>,
        more: impl IntoIterator<Item = RegisteredTool>,
    ) -> Result<Self, ToolsetFault> {
        let mut faults = Vec::new();
        let mut set = Self::default();
        let declared = entries.into_iter().map(|entry| RegisteredTool::of_entry(&entry));
        for tool in declared.chain(more.into_iter().map(Ok)) {
            match tool {
                Ok(tool) => set.add(tool, &mut faults),
                Err(fault) => faults.push(fault),
            }
        }
        set.check(&mut faults);
        set.watch();
        if faults.is_empty() { Ok(set) } else { Err(ToolsetFault { faults }) }
    }

    fn add(&mut self, tool: RegisteredTool, faults: &mut Vec<SpecFault>) {
        let name = tool.spec.name;
        if let Some(first) = self.get(name) {
            let text = format!("a second tool of this name; the first stands in {}", first.spec.source);
            faults.push(SpecFault::new(name, tool.spec.source, "toolset.duplicate", text));
            return;
        }
        self.by_name.insert(name, self.tools.len());
        self.tools.push(Arc::new(tool));
    }

    /// Notes once what every run of a tool would ask for.
    fn watch(&mut self) {
        for precondition in self.tools.iter().flat_map(|tool| &tool.preconditions) {
            let paths = self.watched.entry(precondition.declared.tool).or_default();
            paths.extend(precondition.when.iter().flat_map(|when| when.fields("result")));
        }
    }

    fn check(&self, faults: &mut Vec<SpecFault>) {
        for tool in &self.tools {
            for precondition in &tool.preconditions {
                let named = precondition.declared.tool;
                let Some(other) = self.get(named) else {
                    faults.push(self.unknown(tool, named, "precondition"));
                    continue;
                };
                faults.extend(condition_faults(tool, other, precondition));
                faults.extend(late::loose(tool, other, precondition));
                if self.leads_to(named, tool.spec.name, &mut Vec::new()) {
                    let text = format!("its precondition on `{named}` leads back to itself");
                    faults.push(SpecFault::new(tool.spec.name, "precondition", "toolset.cycle", text));
                }
            }
            if let FailurePolicy::Fallback { tool: named } = tool.spec.failure_policy {
                match self.get(named) {
                    None => faults.push(self.unknown(tool, named, "fallback")),
                    Some(other) if other.spec.risk > tool.spec.risk => {
                        let text = format!("falls back on `{named}`, which is of higher risk");
                        faults.push(SpecFault::new(tool.spec.name, "fallback", "toolset.fallback_risk", text));
                    }
                    Some(_) if self.falls_in_a_circle(tool) => {
                        let text = format!("falls back on `{named}`, which leads back to itself");
                        faults.push(SpecFault::new(tool.spec.name, "fallback", "toolset.cycle", text));
                    }
                    Some(other) => faults.extend(late::odd_parameter(tool, other)),
                }
            }
        }
    }

    fn falls_in_a_circle(&self, from: &RegisteredTool) -> bool {
        let mut spec = from.spec;
        // As many steps as there are tools lead around every circle.
        for _ in &self.tools {
            let FailurePolicy::Fallback { tool } = spec.failure_policy else {
                return false;
            };
            match self.get(tool) {
                Some(next) if next.spec.name != from.spec.name => spec = next.spec,
                Some(_) => return true,
                None => return false,
            }
        }
        false
    }

    fn unknown(&self, tool: &RegisteredTool, named: &str, place: &str) -> SpecFault {
        let near = did_you_mean(named, self.tools.iter().map(|tool| tool.spec.name));
        let text = format!("names `{named}`, which is not in this toolset{near}");
        SpecFault::new(tool.spec.name, place, "toolset.unknown", text)
    }

    fn leads_to(&self, from: &str, target: &str, seen: &mut Vec<&'static str>) -> bool {
        let Some(tool) = self.get(from) else {
            return false;
        };
        if tool.spec.name == target {
            return true;
        }
        if seen.contains(&tool.spec.name) {
            return false;
        }
        seen.push(tool.spec.name);
        tool.spec.preconditions.iter().any(|precondition| self.leads_to(precondition.tool, target, seen))
    }

    /// The tool of that name.
    pub fn get(&self, name: &str) -> Option<&Arc<RegisteredTool>> {
        self.by_name.get(name).and_then(|index| self.tools.get(*index))
    }

    /// All tools, in the order they were given.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<RegisteredTool>> {
        self.tools.iter()
    }

    /// Paths of a tool's result that preconditions of other tools read; `None` where none looks at it.
    pub(crate) fn watched(&self, tool: &str) -> Option<&[Vec<Step>]> {
        self.watched.get(tool).map(Vec::as_slice)
    }
}

/// What the types give away in an expression: names that don't exist, comparisons that never hold.
fn condition_faults(
    tool: &RegisteredTool,
    other: &RegisteredTool,
    precondition: &CompiledPrecondition,
) -> Vec<SpecFault> {
    let Some(when) = &precondition.when else {
        return Vec::new();
    };
    let types = |root: &str| match root {
        "result" => Some(other.result.clone()),
        "prior" => Some(other.contract.value_type()),
        "args" => Some(tool.contract.value_type()),
        "task" => {
            let fields = ["id", "type"].map(|name| (name.to_owned(), Type::Text(None)));
            Some(Type::Object(fields.into(), false))
        }
        _ => None,
    };
    let place = format!("precondition on `{}`", other.spec.name);
    let found = toolgate_expr::check(when, &types);
    found
        .iter()
        .map(|fault| {
            let text = format!("{}, at column {} of `{}`", fault.message, fault.at + 1, when.text());
            SpecFault::new(tool.spec.name, &place, "spec.expression", text)
        })
        .collect()
}
