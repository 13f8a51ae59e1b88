//! Any bytes as a message of each provider: nothing panics, an error says what was expected, and every call
//! has an answer in its place. Shared by the fuzz target and the test that replays its corpus.

use serde_json::{Map, Value, json};
use toolgate_core::call::{Code, Stage, ToolResult};
use toolgate_core::contract::{Contract, SpecFault};
use toolgate_core::dialect::{Dialect, ToolsForModel};
use toolgate_core::provider::Provider;
use toolgate_core::spec::{DynamicTool, RegisteredTool};
use toolgate_core::tool::Effect;

fn tools() -> Result<ToolsForModel, SpecFault> {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    Contract::of_schema("look", &schema)?;
    let tool: RegisteredTool =
        DynamicTool::new("log.look", "", schema).reads().handler(|_, value| async move { Ok(value) })?;
    Ok(ToolsForModel::new(Dialect::OpenAiStrict, [&tool]))
}

/// Returns how many calls were heard, over all providers.
pub(crate) fn check(bytes: &[u8]) -> usize {
    let tools = tools().expect("a tool");
    let mut heard = 0;
    for provider in Provider::ALL {
        let calls = match provider.calls(&tools, bytes) {
            Ok(calls) => calls,
            Err(error) => {
                assert!(error.to_string().contains("expected"), "{error}");
                continue;
            }
        };
        heard += calls.len();
        let answered: Vec<_> = calls.into_iter().map(|call| (call, refused())).collect();
        let results = provider.results(&tools, &answered);
        let each = match provider {
            Provider::Anthropic => &results["content"],
            Provider::Gemini => &results["parts"],
            _ => &results,
        };
        assert_eq!(each.as_array().map(Vec::len), Some(answered.len()), "{provider}: one answer for each call");
    }
    heard
}

fn refused() -> ToolResult {
    ToolResult {
        call_id: "call_1".to_owned(),
        ok: false,
        code: Code::MalformedCall,
        stage: Stage::Parse,
        message: "no".to_owned(),
        data: None::<Value>,
        content: Vec::new(),
        retryable: true,
        effect: Effect::None,
        truncated: false,
        duration_ms: 0,
        details: Map::new(),
    }
}
