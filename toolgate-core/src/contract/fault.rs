//! Why a declaration can't become a contract. For the developer, when a gate or a run-time tool is
//! built; never for the model.

/// A declaration that can't be enforced as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecFault {
    tool: String,
    place: String,
    rule: &'static str,
    text: String,
}

impl SpecFault {
    /// A fault of one rule at a place of a tool's declaration; a fault of no tool is told by its place alone.
    pub fn new(tool: &str, place: &str, rule: &'static str, text: impl Into<String>) -> Self {
        Self { tool: tool.to_owned(), place: place.to_owned(), rule, text: text.into() }
    }

    /// The finer rule, such as `schema.remote_ref`.
    pub fn rule(&self) -> &'static str {
        self.rule
    }
}

impl std::fmt::Display for SpecFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { tool, place, rule, text } = self;
        if tool.is_empty() {
            return write!(f, "{place}: {text} ({rule})");
        }
        let at = if place.is_empty() { "" } else { ", at " };
        write!(f, "tool `{tool}`{at}{place}: {text} ({rule})")
    }
}

impl std::error::Error for SpecFault {}
