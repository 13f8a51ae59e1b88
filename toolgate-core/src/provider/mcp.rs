//! `tools/call`: a request, or its `params`, answered by a `CallToolResult`. The request's id is the
//! connection's and begins anew with each, so it is no id of the call.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::heard::Heard;
use super::raw::{Members, kind, once};
use super::{MessageError, Provider, blocks};
use crate::call::{ToolCall, ToolResult};
use crate::dialect::ToolsForModel;

const THIS: Provider = Provider::Mcp;

pub(super) fn calls(message: &RawValue) -> Result<Vec<Heard>, MessageError> {
    let body = Members::of(message).ok_or_else(|| MessageError::new(THIS, "", "an object", kind(message)))?;
    if !body.has("method") && !body.has("jsonrpc") {
        return if body.has("name") {
            Ok(vec![heard(message, &body)])
        } else {
            Err(MessageError::new(THIS, "", "a request `tools/call`, or its `params`", body.found()))
        };
    }
    let body = once(THIS, "", body)?;
    if !body.is("method", "tools/call") {
        return Err(MessageError::new(THIS, "method", "`tools/call`", body.found()));
    }
    let Some(params) = body.get("params") else {
        return Err(MessageError::new(THIS, "params", "an object", body.found()));
    };
    let inner = Members::of(params).ok_or_else(|| MessageError::new(THIS, "params", "an object", kind(params)))?;
    Ok(vec![heard(params, &inner)])
}

fn heard(raw: &RawValue, params: &Members<'_>) -> Heard {
    if params.has_repeats() {
        return Heard::unreadable(raw, None, "");
    }
    let arguments = params.given("arguments").map(|arguments| arguments.get().into());
    Heard { name: params.text("name"), arguments, id: None, said: String::new() }
}

pub(super) fn result(tools: &ToolsForModel, call: &ToolCall, result: &ToolResult) -> Value {
    let (text, shown) = blocks::answer(result, blocks::mcp);
    let content: Value = std::iter::once(json!({"type": "text", "text": text.to_string()})).chain(shown).collect();
    let mut answer = json!({"content": content, "isError": !result.ok});
    let structured = tools.of(&call.tool).and_then(|tool| tool.structured(result));
    if let (Some(data), Some(members)) = (structured, answer.as_object_mut()) {
        members.insert("structuredContent".to_owned(), data);
    }
    answer
}
