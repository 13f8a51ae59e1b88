//! Tools in the form of each provider: golden files, the providers' published rules, and calls that come
//! back through the gate. Not the providers themselves; no model is asked.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests may panic"
)]

mod accepted;
mod corpus;
mod export;
mod facts;
mod golden;
mod heard;
mod messages;
mod names;
mod published;
mod rules;
mod said;
mod twice;
mod types;
mod values;

use toolgate::spec::RegisteredTool;
use toolgate::{SpecFault, ToolEntry};

/// The groups of tools, each with one golden file for each dialect.
fn groups() -> [(&'static str, &'static [ToolEntry]); 5] {
    [
        ("scalars", types::SCALARS.entries),
        ("words", types::WORDS.entries),
        ("parts", types::PARTS.entries),
        ("foreign", types::FOREIGN.entries),
        ("facts", facts::TOOLS.entries),
    ]
}

/// The tools of a group, and what can't be enforced and so becomes none.
fn registered(entries: &[ToolEntry]) -> (Vec<RegisteredTool>, Vec<SpecFault>) {
    let (mut tools, mut faults) = (Vec::new(), Vec::new());
    for entry in entries {
        match RegisteredTool::of_entry(entry) {
            Ok(tool) => tools.push(tool),
            Err(fault) => faults.push(fault),
        }
    }
    (tools, faults)
}
