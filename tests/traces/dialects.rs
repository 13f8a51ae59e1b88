//! Other people's schemas in every dialect, against what the providers publish. The rules are those that
//! `tests/dialects` holds Rust types against.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use toolgate_core::dialect::{Dialect, ToolsForModel};
use toolgate_core::spec::{DynamicTool, RegisteredTool};

use crate::data::{folder, lines, read_json, text_of};

#[path = "../dialects/rules.rs"]
mod rules;

/// A run-time tool for each schema, under its own name where that is one of MCP's.
fn registered(name: &str, number: usize, schema: &Value) -> Option<RegisteredTool> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
    let name: String = name.chars().map(|letter| if plain(letter) { letter } else { '_' }).collect();
    let tool = DynamicTool::new(format!("{name}.{number}"), "As it was recorded.", schema.clone());
    tool.reads().handler(|_, value| async move { Ok(value) }).ok()
}

#[test]
fn every_recorded_tool_keeps_the_published_rules_of_every_dialect() {
    let Some(folder) = folder() else { return };
    let mut schemas: Vec<(String, Value)> = lines::<Value>(&folder, "bfcl-tools.jsonl")
        .iter()
        .map(|tool| (text_of(tool, "tool").to_owned(), tool["inputSchema"].clone()))
        .collect();
    let bfcl = schemas.len();
    for tool in read_json(&folder, "tau-airline-tools.json").as_array().unwrap() {
        schemas.push((text_of(tool, "name").to_owned(), tool["parameters"].clone()));
    }
    let tools: Vec<RegisteredTool> =
        schemas.iter().enumerate().filter_map(|(number, (name, schema))| registered(name, number, schema)).collect();
    assert_eq!(tools.len(), schemas.len(), "every schema of these sets can be enforced");
    for dialect in Dialect::ALL {
        let exported = ToolsForModel::new(*dialect, &tools);
        let faults = rules::check(dialect.as_str(), &exported.to_json());
        assert!(
            faults.is_empty(),
            "{dialect}: {} faults, {:#?}",
            faults.len(),
            faults.iter().take(20).collect::<Vec<_>>()
        );
        let strict = exported.tools().iter().filter(|tool| tool.schema.strict).count();
        let mut why: BTreeMap<&str, usize> = BTreeMap::new();
        for note in exported.tools().iter().flat_map(|tool| &tool.schema.notes).filter(|note| note.keyword == "strict")
        {
            *why.entry(&note.words).or_default() += 1;
        }
        println!("{dialect}: {bfcl} schemas and an airline's, {strict} strict, {} refused", exported.refused().len());
        why.iter().for_each(|(words, count)| println!("  not strict {count}: {words}"));
        exported.refused().iter().for_each(|refused| println!("  {refused}"));
        assert!(exported.tools().iter().all(|tool| exported.names().tool(&tool.name) == tool.tool));
    }
    assert_eq!(rules::check("openai", &json!([])), Vec::<String>::new());
}
