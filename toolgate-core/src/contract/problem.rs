//! One thing wrong with a call's arguments: where, what was expected and the nearest valid name.
//! Never a value: what a model sent is not said back to it.

use super::wording::shown_name;

/// A pointer with the names in it that can be said back; keys of a map are values of the model's.
pub(crate) fn shown_pointer(pointer: &str) -> String {
    let mut names = pointer.split('/');
    let first = names.next().unwrap_or_default().to_owned();
    names.fold(first, |shown, name| shown + "/" + shown_name(name))
}

/// One thing wrong with the arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// JSON pointer (RFC 6901) of the value; empty for the arguments as a whole.
    pub pointer: String,
    /// The finer rule, such as `schema.type` or `schema.required`.
    pub rule: &'static str,
    /// What was expected, from the tool's contract.
    pub expected: String,
    /// The nearest valid name or word, where something was misspelled.
    pub nearest: Option<String>,
}

impl Problem {
    /// A problem of the contract.
    pub fn new(pointer: &str, rule: &'static str, expected: impl Into<String>) -> Self {
        Self { pointer: pointer.to_owned(), rule, expected: expected.into(), nearest: None }
    }

    /// A value that passed the contract and still isn't what the type needs.
    pub fn decode(pointer: &str, expected: &'static str) -> Self {
        let pointer = shown_pointer(pointer);
        Self { pointer, rule: "schema.decode", expected: format!("expected a {expected}"), nearest: None }
    }

    /// Adds the nearest valid name.
    #[must_use]
    pub fn with_nearest(mut self, nearest: Option<&str>) -> Self {
        self.nearest = nearest.map(str::to_owned);
        self
    }

    /// One line for the model.
    pub fn for_model(&self) -> String {
        let place = if self.pointer.is_empty() { "arguments" } else { &self.pointer };
        match &self.nearest {
            Some(nearest) => format!("{place}: {}; did you mean `{nearest}`?", self.expected),
            None => format!("{place}: {}", self.expected),
        }
    }
}
