//! Any JSON Schema in every dialect: nothing panics, what is exported keeps the published rules, what isn't
//! says why. Shared by the fuzz target and the test that replays its corpus.

use serde_json::{Value, json};
use toolgate_core::contract::Contract;
use toolgate_core::dialect::Dialect;
use toolgate_core::json::{Limits, parse};

use super::rules;

/// Returns how many dialects could say the schema; none where it is no contract.
pub(crate) fn check(text: &str) -> usize {
    let Ok(schema) = parse(text.as_bytes(), &Limits::DEFAULT) else { return 0 };
    let Ok(contract) = Contract::of_schema("fuzzed", &schema.to_value()) else { return 0 };
    let mut said = 0;
    for dialect in Dialect::ALL {
        let exported = match dialect.schema(&contract) {
            Ok(exported) => exported,
            Err(reasons) => {
                assert!(!reasons.is_empty() && reasons.iter().all(|reason| !reason.words.is_empty()), "{dialect}");
                continue;
            }
        };
        assert_eq!(dialect.schema(&contract).as_ref(), Ok(&exported), "{dialect}: the same each time");
        let schema: Value = serde_json::from_str(&exported.text).expect("an exported schema is JSON");
        let faults = rules::check(dialect.as_str(), &tools(*dialect, &schema, exported.strict));
        assert!(faults.is_empty(), "{dialect}: {faults:?} in {schema}");
        for note in &exported.notes {
            let moved = note.keyword != "strict";
            let told = schema.pointer(&note.pointer).and_then(|part| part["description"].as_str());
            assert!(!moved || told.is_some_and(|told| told.contains(&note.words)), "{dialect}: {note} in {schema}");
        }
        said += 1;
    }
    said
}

/// The schema as that of a tool, as the dialect has it.
fn tools(dialect: Dialect, schema: &Value, strict: bool) -> Value {
    match dialect {
        Dialect::OpenAi | Dialect::OpenAiStrict => {
            let function = json!({"name": "fuzzed", "description": "d", "parameters": schema, "strict": strict});
            json!([{"type": "function", "function": function}])
        }
        Dialect::Anthropic | Dialect::AnthropicStrict => {
            json!([{"name": "fuzzed", "input_schema": schema, "strict": strict}])
        }
        // A declaration without arguments has no `parameters`.
        Dialect::Gemini if schema.get("properties").is_none() => {
            json!([{"functionDeclarations": [{"name": "fuzzed"}]}])
        }
        Dialect::Gemini => json!([{"functionDeclarations": [{"name": "fuzzed", "parameters": schema}]}]),
        _ => {
            let hints =
                json!({"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false});
            json!([{"name": "fuzzed", "inputSchema": schema, "annotations": hints}])
        }
    }
}
