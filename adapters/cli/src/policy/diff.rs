//! `policy diff`: what changes from one policy file to another, and the examples that are answered otherwise.

use std::io::{self, Write};

use serde_json::{Value, json};
use toolgate_core::policy::Policy as _;
use toolgate_core::policy::file::{Change, ChangeKind, Diff, ExampleChange, PolicyFile};
use toolgate_core::spec::Toolset;

use super::args::DiffArgs;
use super::need;
use crate::out::{Failure, Verdict, put_json, stdout};
use crate::table::{self, Cell};
use crate::text::{BAD, DIM, GOOD, WARN, styled, visible};

const NO_TOOLS: &str =
    "this program holds no tools, so the examples were not asked; inside your agent's binary they are";

pub(super) fn run(args: &DiffArgs, json: bool, tools: Option<&Toolset>) -> Result<Verdict, Failure> {
    // Either file may be for other tools than those of today.
    let (old, new) = (need(&args.old, None)?, need(&args.new, None)?);
    let none = Toolset::default();
    let diff = PolicyFile::diff(&old, &new, tools.unwrap_or(&none));
    let widening = diff.changes.iter().filter(|change| change.widens == Some(true)).count();
    let mut out = stdout();
    if json {
        diff.changes.iter().try_for_each(|change| put_json(&mut out, &change_json(change)))?;
        diff.examples.iter().try_for_each(|example| put_json(&mut out, &example_json(example)))?;
        let count = json!({
            "old": old.version(),
            "new": new.version(),
            "changes": diff.changes.len(),
            "widening": widening,
            "examples": diff.examples.len(),
            "tools": tools.is_some(),
        });
        put_json(&mut out, &count)?;
    } else {
        let versions = format!("{} -> {}", old.version(), new.version());
        writeln!(out, "{}", styled(DIM, &visible(&versions)))?;
        put(&mut out, &diff, widening)?;
        if tools.is_none() {
            writeln!(out, "{NO_TOOLS}")?;
        }
    }
    Ok(Verdict::of(diff.changes.is_empty() && diff.examples.is_empty()))
}

fn put(out: &mut dyn Write, diff: &Diff, widening: usize) -> io::Result<()> {
    if !diff.changes.is_empty() {
        let rows: Vec<Vec<Cell>> = diff.changes.iter().map(row).collect();
        table::put(out, &["change", "calls", "what"], &rows)?;
    }
    for ExampleChange { name, before, after } in &diff.examples {
        let told = format!("{}: {} -> {}", visible(name), visible(before), visible(after));
        writeln!(out, "{} {told}", styled(WARN, "example"))?;
    }
    if diff.changes.is_empty() && diff.examples.is_empty() {
        return writeln!(out, "{}", styled(GOOD, "they say the same"));
    }
    let counts = [
        counted(diff.changes.len(), "change", "changes"),
        counted(widening, "lets more through", "let more through"),
        counted(diff.examples.len(), "example is answered otherwise", "examples are answered otherwise"),
    ];
    writeln!(out, "{}", styled(if widening == 0 { WARN } else { BAD }, &counts.join(", ")))
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn row(change: &Change) -> Vec<Cell> {
    let Change { kind, what, widens } = change;
    let effect = match widens {
        Some(true) => Cell::styled(BAD, "more"),
        Some(false) => Cell::styled(GOOD, "fewer"),
        None => Cell::plain("depends"),
    };
    vec![Cell::plain(word(*kind)), effect, Cell::plain(what)]
}

const fn word(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Added => "added",
        ChangeKind::Removed => "removed",
        ChangeKind::Changed => "changed",
    }
}

fn change_json(change: &Change) -> Value {
    let Change { kind, what, widens } = change;
    json!({"change": word(*kind), "what": what, "widens": widens})
}

fn example_json(example: &ExampleChange) -> Value {
    let ExampleChange { name, before, after } = example;
    json!({"example": name, "before": before, "after": after})
}
