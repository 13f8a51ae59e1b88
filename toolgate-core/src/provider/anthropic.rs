//! Messages: blocks `tool_use` in `content`, answered by one message of the user with a block
//! `tool_result` for each.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::heard::{Heard, add, say};
use super::raw::{Members, items, kind, object, once, text};
use super::{MessageError, Provider, blocks};
use crate::call::{ToolCall, ToolResult};

const THIS: Provider = Provider::Anthropic;

pub(super) fn calls(message: &RawValue) -> Result<Vec<Heard>, MessageError> {
    let body = object(THIS, message)?;
    if body.has("choices") || body.has("tool_calls") {
        return Err(MessageError::new(THIS, "", "`content`", body.found()));
    }
    if body.has("role") && !body.is("role", "assistant") {
        return Err(MessageError::new(THIS, "role", "`assistant`", "another role"));
    }
    let content = body.given("content").ok_or_else(|| MessageError::new(THIS, "", "`content`", body.found()))?;
    if text(content).is_some() {
        return Ok(Vec::new());
    }
    let blocks =
        items(content).ok_or_else(|| MessageError::new(THIS, "content", "an array of blocks", kind(content)))?;
    let mut said = String::new();
    let mut calls = Vec::new();
    let last = blocks.len().saturating_sub(1);
    for (index, raw) in blocks.into_iter().enumerate() {
        let Some(block) = Members::of(raw) else {
            return Err(MessageError::new(THIS, "content", "an array of blocks", kind(raw)));
        };
        if block.is_once("type", "tool_use") {
            let mut call = heard(raw, &block, &said);
            // What the length cut off reads as a whole object: it must not run with what is left of it.
            if index == last && body.is("stop_reason", "max_tokens") {
                call.arguments = Some(Vec::new());
            }
            add(&mut calls, call, THIS)?;
            continue;
        }
        let block = once(THIS, "content", block)?;
        if block.is("type", "text") {
            say(&mut said, &block.text("text").unwrap_or_default());
        }
    }
    Ok(calls)
}

fn heard(raw: &RawValue, block: &Members<'_>, said: &str) -> Heard {
    let id = block.text("id");
    if block.has_repeats() {
        return Heard::unreadable(raw, id, said);
    }
    let arguments = block.given("input").map(|input| input.get().into());
    Heard { name: block.text("name"), arguments, id, said: said.to_owned() }
}

pub(super) fn result(call: &ToolCall, result: &ToolResult) -> Value {
    let id = call.provider_call_id.as_deref().unwrap_or_default();
    let (text, shown) = blocks::answer(result, blocks::anthropic);
    let content = if shown.is_empty() {
        Value::from(text.to_string())
    } else {
        std::iter::once(json!({"type": "text", "text": text.to_string()})).chain(shown).collect()
    };
    json!({"type": "tool_result", "tool_use_id": id, "content": content, "is_error": !result.ok})
}

pub(super) fn message(results: &[Value]) -> Value {
    json!({"role": "user", "content": results})
}
