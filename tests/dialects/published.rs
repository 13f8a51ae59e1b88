//! Every exported tool against what its provider publishes, and every moved rule in its description.

use serde_json::json;
use toolgate::dialect::{Dialect, ToolsForModel};
use toolgate::spec::RegisteredTool;

use super::{groups, registered, rules};

fn all_tools() -> Vec<RegisteredTool> {
    groups().into_iter().flat_map(|(_, entries)| registered(entries).0).collect()
}

#[test]
fn every_dialect_keeps_the_published_rules_for_all_types() {
    let tools = all_tools();
    assert!(tools.len() > 60, "{}", tools.len());
    for dialect in Dialect::ALL {
        let exported = ToolsForModel::new(*dialect, &tools);
        let faults = rules::check(dialect.as_str(), &exported.to_json());
        assert!(faults.is_empty(), "{dialect}: {faults:#?}");
        assert_eq!(exported.tools().len() + exported.refused().len(), tools.len(), "{dialect}: none is lost");
    }
}

#[test]
fn the_rules_find_what_is_wrong() {
    // The plain form breaks the rules of all that are narrower, so the checks can fail.
    let tools = all_tools();
    let plain = ToolsForModel::new(Dialect::Mcp, &tools).to_json();
    let retold = |form: &dyn Fn(&serde_json::Value) -> serde_json::Value| -> serde_json::Value {
        plain.as_array().unwrap().iter().map(form).collect()
    };
    let openai = retold(&|tool| {
        json!({"type": "function", "function": {"name": tool["name"], "description": tool["description"],
            "parameters": tool["inputSchema"], "strict": true}})
    });
    let anthropic = retold(&|tool| json!({"name": tool["name"], "input_schema": tool["inputSchema"], "strict": true}));
    let declarations = retold(&|tool| json!({"name": tool["name"], "parameters": tool["inputSchema"]}));
    for (dialect, tools, expected) in [
        ("openai-strict", &openai, "'required' must include"),
        ("openai-strict", &openai, "`maxLength` is not permitted"),
        ("openai-strict", &openai, "without items"),
        ("anthropic-strict", &anthropic, "a recursive schema"),
        ("anthropic-strict", &anthropic, "`minimum` is not permitted"),
        ("gemini", &json!([{"functionDeclarations": declarations}]), "`additionalProperties` is not permitted"),
        ("gemini", &json!([{"functionDeclarations": declarations}]), "a type that is no single one"),
    ] {
        let faults = rules::check(dialect, tools);
        assert!(faults.iter().any(|fault| fault.contains(expected)), "{dialect}: {expected}");
    }
}

#[test]
fn what_is_moved_stands_in_the_description_at_its_pointer() {
    let tools = all_tools();
    let mut moved = 0;
    for dialect in Dialect::ALL {
        for tool in ToolsForModel::new(*dialect, &tools).tools() {
            let schema: serde_json::Value = serde_json::from_str(&tool.schema.text).unwrap();
            for note in
                tool.schema.notes.iter().filter(|note| !matches!(note.keyword, "strict" | "name" | "description"))
            {
                let place = schema.pointer(&note.pointer).unwrap_or_else(|| panic!("{dialect} {}: {note}", tool.name));
                let text = place["description"].as_str().unwrap_or_default();
                assert!(text.contains(&note.words), "{dialect} {}: {note} in {place}", tool.name);
                moved += 1;
            }
        }
    }
    assert!(moved > 100, "{moved}");
}

#[test]
fn strict_is_claimed_only_where_it_can_be_honoured() {
    let tools = all_tools();
    let strict =
        |dialect, name: &str| ToolsForModel::new(dialect, &tools).named(name).map(|tool| tool.schema.strict).unwrap();
    for (name, openai, anthropic) in [
        ("take_u8", true, true),
        ("take_window", true, true),
        ("take_target", true, true),
        ("take_point", true, true),
        ("take_tree", true, false),
        ("take_map", false, false),
        ("take_pair", false, false),
        ("take_value", false, false),
        ("take_deep", false, true),
    ] {
        assert_eq!(strict(Dialect::OpenAiStrict, name), openai, "{name}");
        assert_eq!(strict(Dialect::AnthropicStrict, name), anthropic, "{name}");
    }
    assert!(ToolsForModel::new(Dialect::OpenAi, &tools).tools().iter().all(|tool| !tool.schema.strict));
    for tool in ToolsForModel::new(Dialect::OpenAiStrict, &tools).tools() {
        let why = tool.schema.notes.iter().any(|note| note.keyword == "strict");
        assert_eq!(tool.schema.strict, !why, "{} says why it isn't strict", tool.name);
    }
}
