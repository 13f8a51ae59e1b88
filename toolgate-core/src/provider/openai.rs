//! Chat completions: `tool_calls` whose arguments are a text, answered by messages of the role `tool`.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::heard::{Heard, add, inside_text, say};
use super::raw::{Members, kind, object, once, only, text};
use super::{MessageError, Provider, blocks};
use crate::call::{ToolCall, ToolResult};

const THIS: Provider = Provider::OpenAiChat;

pub(super) fn calls(message: &RawValue) -> Result<Vec<Heard>, MessageError> {
    let message = message_of(object(THIS, message)?)?;
    let said = said(&message)?;
    let Some(calls) = message.get("tool_calls") else {
        if message.has("function_call") {
            return Err(MessageError::new(THIS, "tool_calls", "an array", "the older `function_call`"));
        }
        return Ok(Vec::new());
    };
    let wrong = || MessageError::new(THIS, "tool_calls", "an array", kind(calls));
    let mut each = Vec::new();
    for call in super::raw::items(calls).ok_or_else(wrong)? {
        add(&mut each, heard(call, &said), THIS)?;
    }
    Ok(each)
}

/// The model's message: that of the one choice of a whole response, or all of it.
fn message_of(body: Members<'_>) -> Result<Members<'_>, MessageError> {
    let Some(choices) = body.get("choices") else {
        let speaks = body.has("tool_calls") || body.is("role", "assistant");
        let found = if body.has("role") { "another role".to_owned() } else { body.found() };
        let expected = "`choices`, or a message of the role `assistant`";
        return if speaks { Ok(body) } else { Err(MessageError::new(THIS, "", expected, found)) };
    };
    let first = only(THIS, "choices", &super::raw::items(choices).unwrap_or_default())?;
    let first = first.ok_or_else(|| MessageError::new(THIS, "choices", "an array with a choice", kind(choices)))?;
    let wrong = || MessageError::new(THIS, "choices[0].message", "an object", kind(first));
    let choice = once(THIS, "choices[0]", Members::of(first).ok_or_else(wrong)?)?;
    once(THIS, "choices[0].message", choice.object("message").ok_or_else(wrong)?)
}

/// The text of the message: one text, or parts.
fn said(message: &Members<'_>) -> Result<String, MessageError> {
    let mut said = String::new();
    let Some(content) = message.get("content") else { return Ok(said) };
    if let Some(whole) = text(content) {
        say(&mut said, &whole);
        return Ok(said);
    }
    let parts = super::raw::items(content);
    let parts = parts.ok_or_else(|| MessageError::new(THIS, "content", "a text or parts", kind(content)))?;
    for part in parts.into_iter().filter_map(Members::of) {
        let part = once(THIS, "content", part)?;
        if part.is("type", "tool_use") {
            return Err(MessageError::new(THIS, "content", "parts of text", "a `tool_use`, which is Anthropic's"));
        }
        say(&mut said, &part.text("text").unwrap_or_default());
    }
    Ok(said)
}

fn heard(raw: &RawValue, said: &str) -> Heard {
    let Some(call) = Members::of(raw) else { return Heard::unreadable(raw, None, said) };
    let id = call.text("id");
    // Tools of free text are none of the gate's: their input is no object, and is refused.
    let (function, arguments) = match call.object("function") {
        Some(function) => (function, "arguments"),
        None => match call.object("custom") {
            Some(custom) => (custom, "input"),
            None => return Heard::unreadable(raw, id, said),
        },
    };
    if call.has_repeats() || function.has_repeats() {
        return Heard::unreadable(raw, id, said);
    }
    let is_json = arguments == "arguments";
    let arguments = function.given(arguments);
    let arguments = arguments.map(|text| if is_json { inside_text(text) } else { text.get().into() });
    Heard { name: function.text("name"), arguments, id, said: said.to_owned() }
}

pub(super) fn result(call: &ToolCall, result: &ToolResult) -> Value {
    let id = call.provider_call_id.as_deref().unwrap_or_default();
    let (content, _) = blocks::answer(result, blocks::none);
    json!({"role": "tool", "tool_call_id": id, "content": content.to_string()})
}
