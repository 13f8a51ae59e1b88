//! Responses: items `function_call` in `output`, answered by items `function_call_output`.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::heard::{Heard, add, inside_text, say};
use super::raw::{Members, items, kind, once};
use super::{MessageError, Provider, blocks};
use crate::call::{ToolCall, ToolResult};

const THIS: Provider = Provider::OpenAiResponses;
/// Items that may stand alone.
const ITEMS: [&str; 4] = ["message", "reasoning", "function_call", "custom_tool_call"];

pub(super) fn calls(message: &RawValue) -> Result<Vec<Heard>, MessageError> {
    let mut said = String::new();
    let mut calls = Vec::new();
    for raw in output_of(message)? {
        let Some(item) = Members::of(raw) else {
            return Err(MessageError::new(THIS, "output", "an array of items", kind(raw)));
        };
        if item.is_once("type", "function_call") || item.is_once("type", "custom_tool_call") {
            add(&mut calls, heard(raw, &item, &said), THIS)?;
            continue;
        }
        let item = once(THIS, "output", item)?;
        if item.is("type", "message") {
            for part in item.list("content").unwrap_or_default().into_iter().filter_map(Members::of) {
                say(&mut said, &once(THIS, "output.content", part)?.text("text").unwrap_or_default());
            }
        }
    }
    Ok(calls)
}

/// The items: `output` of a whole response, an array of them, or one.
fn output_of(message: &RawValue) -> Result<Vec<&RawValue>, MessageError> {
    if let Some(items) = items(message) {
        return Ok(items);
    }
    let wrong = || MessageError::new(THIS, "", "an object", kind(message));
    // One item alone is looked at as those of an output are.
    let body = Members::of(message).ok_or_else(wrong)?;
    if ITEMS.iter().any(|kind| body.is("type", kind)) && !body.has("stop_reason") {
        return Ok(vec![message]);
    }
    let body = once(THIS, "", body)?;
    let wrong = || MessageError::new(THIS, "", "`output`, or items of one", body.found());
    body.list("output").ok_or_else(wrong)
}

fn heard(raw: &RawValue, item: &Members<'_>, said: &str) -> Heard {
    let id = item.text("call_id");
    if item.has_repeats() {
        return Heard::unreadable(raw, id, said);
    }
    let arguments = match item.given("input").filter(|_| item.is("type", "custom_tool_call")) {
        Some(free) => Some(free.get().into()),
        None => item.given("arguments").map(inside_text),
    };
    Heard { name: item.text("name"), arguments, id, said: said.to_owned() }
}

pub(super) fn result(call: &ToolCall, result: &ToolResult) -> Value {
    let id = call.provider_call_id.as_deref().unwrap_or_default();
    let (text, shown) = blocks::answer(result, blocks::responses);
    let output = if shown.is_empty() {
        Value::from(text.to_string())
    } else {
        std::iter::once(json!({"type": "input_text", "text": text.to_string()})).chain(shown).collect()
    };
    json!({"type": "function_call_output", "call_id": id, "output": output})
}
