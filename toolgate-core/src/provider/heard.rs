//! One call as it was heard, and what the gate gets of it. Nothing is put right here: what can't be
//! read becomes a call that the gate refuses and answers.

use serde_json::value::RawValue;

use super::{MessageError, Provider, raw};
use crate::call::ToolCall;
use crate::contract::Repair;
use crate::dialect::{Dialect, ToolsForModel};

/// Most calls in one message.
const MAX_CALLS: usize = 1000;
/// Longest reasoning of a call, in bytes; the record keeps less.
const MAX_REASONING: usize = 8 * 1024;
/// Ends reasoning that was longer.
const CUT: &str = " .. (cut)";

#[derive(Debug)]
pub(super) struct Heard {
    /// The name that the model used; none where there is none to read.
    pub(super) name: Option<String>,
    /// JSON text; `None` where no arguments came at all.
    pub(super) arguments: Option<Vec<u8>>,
    pub(super) id: Option<String>,
    /// What the model said before the call.
    pub(super) said: String,
}

impl Heard {
    /// A call of which nothing can be read, or too much: keys that came twice. Its own text stands for
    /// the arguments, so that the gate meets the fault.
    pub(super) fn unreadable(call: &RawValue, id: Option<String>, said: &str) -> Self {
        Self { name: None, arguments: Some(call.get().into()), id, said: said.to_owned() }
    }

    pub(super) fn into_call(self, tools: &ToolsForModel) -> ToolCall {
        let Self { name, arguments, id, said } = self;
        let name = name.unwrap_or_default();
        let strict = tools.named(&name).is_some_and(|tool| tool.schema.strict);
        let tool = tools.names().tool(&name);
        let mut call = match arguments {
            Some(arguments) => ToolCall::new(tool, arguments),
            None => ToolCall::without_arguments(tool),
        };
        if strict && tools.dialect() == Dialect::OpenAiStrict {
            // The strict form has no other way to leave a parameter out.
            call = call.with_repairs(Repair::NullForAbsent);
        }
        if let Some(id) = id {
            call = call.with_provider_id(id);
        }
        if said.trim().is_empty() { call } else { call.with_reasoning(said) }
    }
}

/// Arguments that should come as a text that holds JSON. What is no text goes on as it is.
pub(super) fn inside_text(arguments: &RawValue) -> Vec<u8> {
    raw::text(arguments).map_or_else(|| arguments.get().into(), String::into_bytes)
}

/// Adds a piece of what the model said, up to [`MAX_REASONING`].
pub(super) fn say(said: &mut String, piece: &str) {
    if said.len() > MAX_REASONING || piece.is_empty() {
        return;
    }
    if !said.is_empty() {
        said.push('\n');
    }
    said.push_str(piece);
    if said.len() > MAX_REASONING {
        said.truncate(said.floor_char_boundary(MAX_REASONING));
        said.push_str(CUT);
    }
}

/// Adds a call; each has a copy of what was said before it, so that there can't be any number of them.
pub(super) fn add(calls: &mut Vec<Heard>, heard: Heard, provider: Provider) -> Result<(), MessageError> {
    if calls.len() == MAX_CALLS {
        return Err(MessageError::new(provider, "", "at most 1000 calls", "more"));
    }
    calls.push(heard);
    Ok(())
}
