//! The official JSON Schema test suite (`tests/cases/json-schema-test-suite`): every group is one
//! argument of a tool. A schema is refused, or all its tests come out as the suite says. What is refused
//! and what differs stands in `json-schema-suite.jsonl`, each with the reason; nothing else may be, and
//! every line must be true.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "in a test, a panic is the message"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Map, Value, json};
use toolgate_core::contract::Contract;
use toolgate_core::json::{Limits, parse_arguments};

use crate::support::own_folder;

/// Why a test may come out otherwise than the suite says.
const REASONS: [&str; 2] = ["closed objects", "formats are asserted"];

/// The schema as the one argument of a tool; references move with it.
fn wrapped(schema: &Value) -> Value {
    json!({"type": "object", "properties": {"value": moved(schema, true)}, "required": ["value"]})
}

fn moved(schema: &Value, is_root: bool) -> Value {
    match schema {
        Value::Object(members) => {
            let mut out = Map::new();
            for (keyword, value) in members {
                let value = match (keyword.as_str(), value) {
                    ("$id", _) if is_root => continue,
                    ("$ref", Value::String(target)) if target.starts_with("#/") => {
                        json!(format!("#/properties/value{}", &target[1..]))
                    }
                    ("$ref", Value::String(target)) if target == "#" => json!("#/properties/value"),
                    ("const" | "enum" | "default" | "examples", value) => value.clone(),
                    (_, value) => moved(value, false),
                };
                out.insert(keyword.clone(), value);
            }
            Value::Object(out)
        }
        Value::Array(items) => items.iter().map(|item| moved(item, false)).collect(),
        other => other.clone(),
    }
}

fn accepts(contract: &Contract, value: &Value) -> bool {
    let text = json!({"value": value}).to_string();
    parse_arguments(text.as_bytes(), &Limits::MAX, false).is_ok_and(|node| contract.check(&node).is_empty())
}

fn files(folder: &Path, below: &str, found: &mut Vec<(String, Value)>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = format!("{below}{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            files(&path, &format!("{name}/"), found);
        } else {
            let text = std::fs::read_to_string(&path).unwrap();
            found.push((name, serde_json::from_str(&text).unwrap()));
        }
    }
}

#[test]
fn cases_json_schema_suite() {
    let mut suite = Vec::new();
    files(&own_folder().join("json-schema-test-suite/draft2020-12"), "", &mut suite);
    let listed = std::fs::read_to_string(own_folder().join("json-schema-suite.jsonl")).unwrap();
    let mut listed: BTreeSet<String> = listed.lines().map(str::to_owned).collect();
    let mut unlisted = Vec::new();
    let (mut groups, mut enforced, mut right, mut otherwise) = (0, 0, 0, 0);
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    for (file, content) in &suite {
        for group in content.as_array().unwrap() {
            groups += 1;
            let name = group["description"].as_str().unwrap();
            let contract = match Contract::of_schema("tool", &wrapped(&group["schema"])) {
                Ok(contract) => contract,
                Err(fault) => {
                    let text = fault.to_string();
                    let text = text.rsplit_once(": ").map_or(text.as_str(), |(_, text)| text);
                    *refused.entry(text.to_owned()).or_default() += 1;
                    let line = json!({"file": file, "group": name, "refused": text}).to_string();
                    if !listed.remove(&line) {
                        unlisted.push(line);
                    }
                    continue;
                }
            };
            enforced += 1;
            for test in group["tests"].as_array().unwrap() {
                let valid = test["valid"].as_bool().unwrap();
                if accepts(&contract, &test["data"]) == valid {
                    right += 1;
                    continue;
                }
                otherwise += 1;
                let line = |reason: &str| {
                    json!({"file": file, "group": name, "test": test["description"], "suite": valid, "reason": reason})
                        .to_string()
                };
                // What the suite refuses is refused here, whatever the reason.
                if !valid || !REASONS.iter().any(|reason| listed.remove(&line(reason))) {
                    unlisted.push(line("?"));
                }
            }
        }
    }
    println!("{groups} groups, {enforced} enforced, {right} tests right, {otherwise} otherwise and listed");
    refused.iter().for_each(|(reason, count)| println!("  refused {count}: {reason}"));
    assert!(unlisted.is_empty(), "{} not listed:\n{}", unlisted.len(), unlisted.join("\n"));
    assert!(listed.is_empty(), "no longer true:\n{}", listed.into_iter().collect::<Vec<_>>().join("\n"));
}
