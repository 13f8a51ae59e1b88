//! A provider's messages: the calls that stand in one, and the message that answers them. Not the
//! conversation, and no judgement: what a model wrote goes to the gate byte for byte, also where it
//! can only be refused there.

mod anthropic;
mod blocks;
mod error;
mod gemini;
mod heard;
mod mcp;
mod openai;
mod raw;
mod responses;

pub use error::MessageError;

use serde_json::Value;

use crate::call::{ToolCall, ToolResult};
use crate::dialect::ToolsForModel;

/// Whose messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Provider {
    /// `OpenAI`'s chat completions, and the many servers that speak like them.
    OpenAiChat,
    /// `OpenAI`'s responses.
    OpenAiResponses,
    /// Anthropic's messages.
    Anthropic,
    /// Gemini's `generateContent`.
    Gemini,
    /// Requests of the Model Context Protocol.
    Mcp,
}

impl Provider {
    /// All of them.
    pub const ALL: &'static [Self] =
        &[Self::OpenAiChat, Self::OpenAiResponses, Self::Anthropic, Self::Gemini, Self::Mcp];

    /// The calls in a message, in their order; none where the model only spoke.
    ///
    /// `message` is the JSON text of a whole response or of the model's message in it. A call that is
    /// malformed is among the calls all the same: the gate refuses it, and the model hears why. Each
    /// call carries what the model said before it as its reasoning, cut after 8 KiB, and its tool's own name.
    ///
    /// # Errors
    /// Text that is no message of this provider's: what was expected, and where. So is a message with a key
    /// twice around its calls, one of several answers (`n` above 1), one of more than 1,000 calls, and one of more than 16 MiB.
    pub fn calls(self, tools: &ToolsForModel, message: impl AsRef<[u8]>) -> Result<Vec<ToolCall>, MessageError> {
        let message = raw::document(self, message.as_ref())?;
        let heard = match self {
            Self::OpenAiChat => openai::calls(message),
            Self::OpenAiResponses => responses::calls(message),
            Self::Anthropic => anthropic::calls(message),
            Self::Gemini => gemini::calls(message),
            Self::Mcp => mcp::calls(message),
        }?;
        Ok(heard.into_iter().map(|heard| heard.into_call(tools)).collect())
    }

    /// The answers, as they go back into the conversation.
    ///
    /// | provider | value |
    /// |---|---|
    /// | `OpenAiChat` | an array of messages of the role `tool` |
    /// | `OpenAiResponses` | an array of items `function_call_output` |
    /// | `Anthropic` | one message of the user with a `tool_result` for each call |
    /// | `Gemini` | one content of the user with a `functionResponse` for each call |
    /// | `Mcp` | an array of `CallToolResult`s; a request has one call, see [`Self::result`] |
    pub fn results(self, tools: &ToolsForModel, answered: &[(ToolCall, ToolResult)]) -> Value {
        let each: Vec<Value> = answered.iter().map(|(call, result)| self.result(tools, call, result)).collect();
        match self {
            Self::Anthropic => anthropic::message(&each),
            Self::Gemini => gemini::content(&each),
            Self::OpenAiChat | Self::OpenAiResponses | Self::Mcp => Value::Array(each),
        }
    }

    /// The answer to one call: an element of what [`Self::results`] gives.
    pub fn result(self, tools: &ToolsForModel, call: &ToolCall, result: &ToolResult) -> Value {
        match self {
            Self::OpenAiChat => openai::result(call, result),
            Self::OpenAiResponses => responses::result(call, result),
            Self::Anthropic => anthropic::result(call, result),
            Self::Gemini => gemini::result(tools.names(), call, result),
            Self::Mcp => mcp::result(tools, call, result),
        }
    }
}

impl std::fmt::Display for Provider {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::OpenAiChat => "OpenAI chat completions",
            Self::OpenAiResponses => "OpenAI responses",
            Self::Anthropic => "Anthropic messages",
            Self::Gemini => "Gemini",
            Self::Mcp => "MCP",
        })
    }
}
