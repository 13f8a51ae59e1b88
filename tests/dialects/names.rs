//! Names that a provider doesn't take, on run-time tools, there and back.

use serde_json::json;
use toolgate::DynamicTool;
use toolgate::dialect::{Dialect, ToolsForModel};
use toolgate::provider::Provider;
use toolgate::spec::RegisteredTool;

fn tool(name: &str) -> RegisteredTool {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    DynamicTool::new(name, "Does it.", schema).reads().handler(|_, value| async move { Ok(value) }).unwrap()
}

#[test]
fn names_are_mapped_where_they_must_be_and_mapped_back() {
    let long = "x".repeat(100);
    let names = ["calendar.respondToEvent", "3d-print", "plain_name", long.as_str()];
    let tools = names.map(tool);
    for (dialect, kept) in [
        (Dialect::OpenAi, [false, true, true, false]),
        (Dialect::Anthropic, [false, true, true, false]),
        (Dialect::Gemini, [true, false, true, false]),
        (Dialect::Mcp, [true, true, true, true]),
    ] {
        let exported = ToolsForModel::new(dialect, &tools);
        for ((tool, own), kept) in exported.tools().iter().zip(names).zip(kept) {
            assert_eq!(tool.name == own, kept, "{dialect}: {own} as {}", tool.name);
            assert_eq!(exported.names().tool(&tool.name), own);
            let message = json!({"name": tool.name, "arguments": {}}).to_string();
            let call = Provider::Mcp.calls(&exported, &message).unwrap().remove(0);
            assert_eq!(call.tool, own, "the gate hears the tool's own name");
        }
    }
}

#[test]
fn names_of_run_time_tools_are_those_of_mcp() {
    for name in ["", "a b", "a/b", "ä", &"x".repeat(129)] {
        let fault = DynamicTool::new(name, "", json!({"type": "object"})).reads();
        let fault = fault.handler(|_, value| async move { Ok(value) }).unwrap_err();
        assert_eq!(fault.rule(), "spec.name", "{name}");
    }
}

#[test]
fn an_argument_whose_name_a_provider_does_not_take_refuses_the_tool_with_the_reason() {
    let schema = json!({"type": "object", "properties": {"$filter": {"type": "string"}}});
    let odata =
        DynamicTool::new("query", "Asks.", schema).reads().handler(|_, value| async move { Ok(value) }).unwrap();
    let tools = [odata, tool("plain")];
    for dialect in [Dialect::Anthropic, Dialect::AnthropicStrict, Dialect::Gemini] {
        let exported = ToolsForModel::new(dialect, &tools);
        assert_eq!(exported.tools().len(), 1);
        let reason = exported.refused()[0].to_string();
        assert!(reason.contains("tool `query`") && reason.contains("`$filter`"), "{reason}");
    }
    assert!(ToolsForModel::new(Dialect::OpenAi, &tools).refused().is_empty());
}
