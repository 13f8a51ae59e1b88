//! The tools as a provider takes them: names, descriptions and schemas in the form and within the limits
//! of its API. Not the conversation with it, and not what is enforced: that stays the whole contract,
//! whatever a dialect could say of it.

mod form;
mod limits;
mod names;
mod notes;
mod schema;
mod style;
mod tools;

pub use names::Names;
pub use notes::{Note, Refused};
pub use schema::SchemaForModel;
pub use tools::{ToolForModel, ToolsForModel};

use crate::contract::Contract;

/// Which provider's form and limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// `OpenAI` functions, best effort.
    OpenAi,
    /// `OpenAI` functions with `strict`: arguments always fit the schema. A tool whose schema can't
    /// promise that goes without `strict`, and says why.
    OpenAiStrict,
    /// Anthropic tools, best effort.
    Anthropic,
    /// Anthropic tools with `strict`, as far as their schemas can promise it.
    AnthropicStrict,
    /// Gemini function declarations with `parameters`, a subset of the schemas of `OpenAPI` 3.0.
    Gemini,
    /// Tools of the Model Context Protocol: JSON Schema 2020-12 as it is.
    Mcp,
}

impl Dialect {
    /// All of them.
    pub const ALL: &'static [Self] =
        &[Self::OpenAi, Self::OpenAiStrict, Self::Anthropic, Self::AnthropicStrict, Self::Gemini, Self::Mcp];

    /// The word in options.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::OpenAiStrict => "openai-strict",
            Self::Anthropic => "anthropic",
            Self::AnthropicStrict => "anthropic-strict",
            Self::Gemini => "gemini",
            Self::Mcp => "mcp",
        }
    }

    /// The dialect of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|dialect| dialect.as_str() == word)
    }

    /// The schema of a contract in this dialect.
    ///
    /// # Errors
    /// What the dialect can't say of it, not even in words.
    pub fn schema(self, contract: &Contract) -> Result<SchemaForModel, Vec<Note>> {
        schema::of_contract(self, contract)
    }

    /// The dialect without the promise of `strict`.
    const fn without_strict(self) -> Option<Self> {
        match self {
            Self::OpenAiStrict => Some(Self::OpenAi),
            Self::AnthropicStrict => Some(Self::Anthropic),
            _ => None,
        }
    }
}

impl std::fmt::Display for Dialect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
