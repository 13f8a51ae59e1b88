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
    asked: RefCell<BTreeMap<String, Origin>>,
}

impl<'t> Traced<'t> {
    /// Within what this task was told.
    pub fn new(taint: &'t Taint) -> Self {
        Self { taint: Some(taint), asked: RefCell::default() }
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
        let origin = self.taint?.origin_of(value);
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
