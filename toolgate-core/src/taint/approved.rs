//! Values that people have approved in one task: each only for the argument of the tool that it was approved for, only
//! letter by letter, and never as the user's own words.

use std::collections::BTreeSet;
use std::sync::PoisonError;

use serde_json::Value;

use super::{Origin, Provenance, Taint};

/// Most values that are kept; what is approved beyond them is asked about again.
const MOST: usize = 256;
/// Most bytes of one value.
const MAX_BYTES: usize = 4 << 10;

/// Tool, argument and value.
#[derive(Debug, Default)]
pub(super) struct Approved(BTreeSet<(String, String, String)>);

impl Taint {
    /// A person has approved a call of this tool with this value in this argument. Of a list, each of its items.
    pub(crate) fn approve(&self, tool: &str, argument: &str, value: &Value) {
        if let Value::Array(items) = value {
            items.iter().for_each(|item| self.approve(tool, argument, item));
            return;
        }
        let Some(text) = plain(value).filter(|text| text.len() <= MAX_BYTES) else { return };
        let mut approved = self.approved.lock().unwrap_or_else(PoisonError::into_inner);
        if approved.0.len() < MOST {
            approved.0.insert((tool.to_owned(), argument.to_owned(), text));
        }
    }

    fn is_approved(&self, tool: &str, argument: &str, text: Option<String>) -> bool {
        let Some(text) = text else { return false };
        let approved = self.approved.lock().unwrap_or_else(PoisonError::into_inner);
        !approved.0.is_empty() && approved.0.contains(&(tool.to_owned(), argument.to_owned(), text))
    }

    /// As [`Self::origin`], of an argument of a tool: what a person approved for it counts as approved.
    pub(crate) fn origin_in(&self, tool: &str, argument: &str, value: &Value) -> Origin {
        match value {
            Value::Array(items) => {
                self.worst_of(items.iter().map(|item| self.origin_in(tool, argument, item)), || self.origin(value))
            }
            _ => self.unless_approved(self.origin(value), || self.is_approved(tool, argument, plain(value))),
        }
    }

    /// As [`Self::origin_in`], of what a condition reads.
    pub(crate) fn origin_in_of(&self, tool: &str, argument: &str, value: &toolgate_expr::Value) -> Origin {
        match value {
            toolgate_expr::Value::List(items) => {
                let each = items.iter().map(|item| self.origin_in_of(tool, argument, item));
                self.worst_of(each, || self.origin_of(value))
            }
            _ => self.unless_approved(self.origin_of(value), || self.is_approved(tool, argument, plain_of(value))),
        }
    }

    /// Of a list: where nothing in it was approved, what is known of it as a whole.
    #[expect(clippy::unused_self, reason = "reads like its neighbours")]
    fn worst_of(&self, each: impl Iterator<Item = Origin>, whole: impl FnOnce() -> Origin) -> Origin {
        let each: Vec<Origin> = each.collect();
        if !each.iter().any(|origin| origin.provenance == Provenance::Approved) {
            return whole();
        }
        each.into_iter().max_by_key(|origin| origin.provenance).unwrap_or_else(Origin::user)
    }

    #[expect(clippy::unused_self, reason = "reads like its neighbours")]
    fn unless_approved(&self, origin: Origin, is_approved: impl FnOnce() -> bool) -> Origin {
        if origin.provenance > Provenance::Approved && is_approved() {
            return Origin::new(Provenance::Approved, None, true);
        }
        origin
    }
}

/// What can be approved letter by letter.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => number.as_i64().map(|number| number.to_string()),
        _ => None,
    }
}

fn plain_of(value: &toolgate_expr::Value) -> Option<String> {
    match value {
        toolgate_expr::Value::Text(text) => Some(text.clone()),
        toolgate_expr::Value::Int(number) => Some(number.to_string()),
        _ => None,
    }
}
