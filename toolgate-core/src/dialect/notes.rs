//! What became of rules that a dialect has no keyword for. For the developer; the model reads the
//! descriptions.

use std::fmt;

/// One rule that is said in words, or that keeps a tool from something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// JSON pointer (RFC 6901) into the exported schema.
    pub pointer: String,
    /// The keyword that would have said it; `strict` where the tool goes without it, `name` and
    /// `description` where those don't fit.
    pub keyword: &'static str,
    /// The words in the description, or the reason.
    pub words: String,
}

impl Note {
    pub(super) fn new(pointer: impl Into<String>, keyword: &'static str, words: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), keyword, words: words.into() }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pointer, keyword, words } = self;
        if pointer.is_empty() { write!(f, "{keyword}: {words}") } else { write!(f, "{pointer}: {keyword}: {words}") }
    }
}

/// A tool that a dialect can't say. It isn't among the exported ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Its name.
    pub tool: String,
    /// Why, each at its place.
    pub reasons: Vec<Note>,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons: Vec<String> = self.reasons.iter().map(Note::to_string).collect();
        write!(f, "tool `{}`: {}", self.tool, reasons.join("; "))
    }
}
