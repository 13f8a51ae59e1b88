//! `generateContent`: parts `functionCall` in a candidate's content, answered by one content of the user
//! with a part `functionResponse` for each.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::heard::{Heard, add, say};
use super::raw::{Members, items, kind, object, once, only};
use super::{MessageError, Provider, blocks};
use crate::call::{ToolCall, ToolResult};
use crate::dialect::Names;

const THIS: Provider = Provider::Gemini;

pub(super) fn calls(message: &RawValue) -> Result<Vec<Heard>, MessageError> {
    let Some(content) = content_of(object(THIS, message)?)? else { return Ok(Vec::new()) };
    let Some(parts) = content.get("parts") else { return Ok(Vec::new()) };
    let parts = items(parts).ok_or_else(|| MessageError::new(THIS, "parts", "an array", kind(parts)))?;
    let mut said = String::new();
    let mut calls = Vec::new();
    for raw in parts {
        let Some(part) = Members::of(raw) else {
            return Err(MessageError::new(THIS, "parts", "an array of parts", kind(raw)));
        };
        if let Some(call) = part.given("functionCall").or_else(|| part.given("function_call")) {
            add(&mut calls, heard(raw, &part, call, &said), THIS)?;
            continue;
        }
        let part = once(THIS, "parts", part)?;
        if part.get("thought").is_none_or(|thought| thought.get() != "true") {
            say(&mut said, &part.text("text").unwrap_or_default());
        }
    }
    Ok(calls)
}

/// The content: of the one candidate of a whole response, of a candidate, or all of it. None where
/// the model was stopped before it said anything.
fn content_of(body: Members<'_>) -> Result<Option<Members<'_>>, MessageError> {
    if let Some(candidates) = body.get("candidates") {
        let wrong = || MessageError::new(THIS, "candidates", "an array of objects", kind(candidates));
        let first = only(THIS, "candidates", &items(candidates).ok_or_else(wrong)?)?;
        let Some(first) = first else { return Ok(None) };
        return content_of_candidate(&once(THIS, "candidates[0]", Members::of(first).ok_or_else(wrong)?)?);
    }
    if body.has("parts") || body.is("role", "model") {
        return Ok(Some(body));
    }
    if body.has("promptFeedback") {
        return Ok(None);
    }
    if body.has("content") && !body.has("role") && !body.has("type") {
        return content_of_candidate(&body);
    }
    Err(MessageError::new(THIS, "", "`candidates`, or a content with `parts`", body.found()))
}

fn content_of_candidate<'m>(candidate: &Members<'m>) -> Result<Option<Members<'m>>, MessageError> {
    let Some(content) = candidate.get("content") else { return Ok(None) };
    let wrong = || MessageError::new(THIS, "candidates[0].content", "an object", kind(content));
    once(THIS, "candidates[0].content", Members::of(content).ok_or_else(wrong)?).map(Some)
}

fn heard(part: &RawValue, members: &Members<'_>, call: &RawValue, said: &str) -> Heard {
    let Some(function) = Members::of(call) else { return Heard::unreadable(part, None, said) };
    let id = function.text("id");
    let both = members.given("functionCall").is_some() && members.given("function_call").is_some();
    if both || members.has_repeats() || function.has_repeats() {
        return Heard::unreadable(part, id, said);
    }
    let arguments = function.given("args").map(|args| args.get().into());
    Heard { name: function.text("name"), arguments, id, said: said.to_owned() }
}

pub(super) fn result(names: &Names, call: &ToolCall, result: &ToolResult) -> Value {
    let (told, shown) = blocks::answer(result, blocks::gemini);
    let mut response = json!({"name": names.for_model(&call.tool), "response": told});
    if let Some(members) = response.as_object_mut() {
        members.extend(call.provider_call_id.as_deref().map(|id| ("id".to_owned(), id.into())));
        if !shown.is_empty() {
            members.insert("parts".to_owned(), shown.into());
        }
    }
    json!({"functionResponse": response})
}

pub(super) fn content(parts: &[Value]) -> Value {
    json!({"role": "user", "parts": parts})
}
