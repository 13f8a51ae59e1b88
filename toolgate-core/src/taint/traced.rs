//! What a policy may ask about the values of one call, and what it asked: kept for the record and the approver. Not
//! the memory of the task.

use std::cell::RefCell;
use std::collections::BTreeMap;

use toolgate_expr::Value;

use super::{Origin, Taint};

/// The values of one call and where they come from.
#[derive(Debug, Default)]
pub struct Traced<'t> {
    taint: Option<&'t Taint>,
    tool: &'t str,
    asked: RefCell<BTreeMap<String, Origin>>,
}

impl<'t> Traced<'t> {
    /// Within what this task was told.
    pub fn new(taint: &'t Taint) -> Self {
        Self::of_tool(taint, "")
    }

    /// As [`Self::new`], of a call of this tool: what a person approved for an argument of it counts.
    pub fn of_tool(taint: &'t Taint, tool: &'t str) -> Self {
        Self { taint: Some(taint), tool, asked: RefCell::default() }
    }

    /// Where nobody knows what a task was told: a condition that asks where a value comes from can't be answered.
    pub fn unknown() -> Self {
        Self::default()
    }

    /// Whether the task has read an untrusted result; `None` where nobody knows.
    pub fn is_tainted(&self) -> Option<bool> {
        self.taint.map(Taint::is_tainted)
    }

    /// Where a value comes from that an argument has; `None` where nobody knows.
    pub fn origin(&self, argument: Option<&str>, value: &Value) -> Option<Origin> {
        let taint = self.taint?;
        let origin = match argument {
            Some(name) => taint.origin_in_of(self.tool, name, value),
            None => taint.origin_of(value),
        };
        if let Some(name) = argument {
            self.asked.borrow_mut().insert(name.to_owned(), origin.clone());
        }
        Some(origin)
    }

    /// The arguments that were asked about.
    pub fn into_asked(self) -> BTreeMap<String, Origin> {
        self.asked.into_inner()
    }
}
