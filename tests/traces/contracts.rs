//! The contracts of other people's schemas against labels and an independent validator: BFCL's valid
//! and invalid calls, and the calls of an airline desk. No tool runs here.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use serde_json::Value;
use toolgate_core::contract::Contract;
use toolgate_core::json::{Limits, parse_arguments};

use crate::data::{folder, lines, read_json, text_of};
use crate::oracle::Oracle;

#[derive(Deserialize)]
struct BfclTool {
    schema_id: String,
    tool: String,
    #[serde(rename = "inputSchema")]
    schema: Value,
}

#[derive(Deserialize)]
struct BfclCall {
    schema_id: String,
    arguments: Value,
    expected: String,
    source: String,
}

fn keeps(contract: &Contract, arguments: &Value) -> bool {
    let text = arguments.to_string();
    let node = parse_arguments(text.as_bytes(), &Limits::DEFAULT, false).expect("recorded arguments are strict JSON");
    contract.check(&node).is_empty()
}

#[test]
fn contracts_agree_with_every_bfcl_label() {
    let Some(folder) = folder() else { return };
    let tools: Vec<BfclTool> = lines(&folder, "bfcl-tools.jsonl");
    let (mut contracts, mut refused) = (HashMap::new(), BTreeMap::new());
    for tool in &tools {
        match Contract::of_schema(&tool.tool, &tool.schema) {
            Ok(contract) => {
                contracts.insert(tool.schema_id.as_str(), contract);
            }
            Err(fault) => *refused.entry(fault.to_string()).or_insert(0) += 1,
        }
    }
    let calls: Vec<BfclCall> = lines(&folder, "bfcl-calls.jsonl");
    let (mut agree, mut skipped) = (BTreeMap::new(), 0);
    let mut unlike = Vec::new();
    for call in &calls {
        let Some(contract) = contracts.get(call.schema_id.as_str()) else {
            skipped += 1;
            continue;
        };
        let valid = keeps(contract, &call.arguments);
        if valid == (call.expected == "valid") {
            *agree.entry(call.source.as_str()).or_insert(0) += 1;
        } else {
            unlike.push(format!("{} {} {}", call.schema_id, call.source, call.arguments));
        }
    }
    println!("{} schemas, {} refused, {} calls, {skipped} skipped", tools.len(), refused.len(), calls.len());
    refused.iter().for_each(|(fault, count)| println!("  refused {count}: {fault}"));
    agree.iter().for_each(|(source, count)| println!("  {source:<32} {count:>5} agree"));
    assert!(unlike.is_empty(), "{} differ: {:#?}", unlike.len(), unlike.iter().take(10).collect::<Vec<_>>());
    assert!(refused.is_empty(), "every schema of this set can be enforced");
}

#[test]
fn contracts_accept_what_an_airline_desk_was_asked() {
    let Some(folder) = folder() else { return };
    let (mut oracle, mut contracts, mut refused) = (Oracle::default(), HashMap::new(), Vec::new());
    for tool in read_json(&folder, "tau-airline-tools.json").as_array().unwrap() {
        let (name, schema) = (text_of(tool, "name").to_owned(), &tool["parameters"]);
        oracle.learn(&name, schema);
        match Contract::of_schema(&name, schema) {
            Ok(contract) => drop(contracts.insert(name, contract)),
            Err(fault) => refused.push(fault.to_string()),
        }
    }
    let calls: Vec<Value> = lines(&folder, "tau-airline-calls.jsonl");
    let mut valid = 0;
    for call in &calls {
        let (name, arguments) = (text_of(call, "tool"), &call["arguments"]);
        let Some(contract) = contracts.get(name) else { continue };
        assert_eq!(Some(keeps(contract, arguments)), oracle.allows(name, arguments), "{name} {arguments}");
        valid += u32::from(keeps(contract, arguments));
    }
    println!("{} airline tools, {} calls, {valid} keep their contract", contracts.len(), calls.len());
    assert!(refused.is_empty(), "{refused:#?}");
}
