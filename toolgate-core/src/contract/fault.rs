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
    /// A fault of one rule at a place of a tool's declaration.
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
        let place = if self.place.is_empty() { "" } else { ", at " };
        write!(f, "tool `{}`{place}{}: {} ({})", self.tool, self.place, self.text, self.rule)
    }
}

impl std::error::Error for SpecFault {}
