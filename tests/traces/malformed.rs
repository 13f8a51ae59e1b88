//! Arguments that real models got wrong: each is refused with the code of its kind, and nothing
//! runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use toolgate_core::call::{Code, ToolCall};
use toolgate_core::session::{Capabilities, SessionOptions};
use toolgate_core::spec::Risk;
use toolgate_core::store::{MemoryStore, Store};
use toolgate_core::tool::Effect;

use crate::data::{Malformed, folder, lines};
use crate::desk::{Desk, Grants};

#[tokio::test]
async fn every_malformed_call_is_refused_with_the_code_of_its_kind() {
    let Some(folder) = folder() else { return };
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new().unwrap());
    let desk = Desk::open(&folder, store, Grants::All).await;
    let rows: Vec<Malformed> = lines(&folder, "malformed-calls.jsonl");
    let mut table: BTreeMap<(String, &str), u32> = BTreeMap::new();
    let mut unlike_label = 0;
    for row in &rows {
        let suite = row.schema_ref.rsplit('#').next().unwrap();
        let gate = desk.gate(suite);
        let names = gate.tools().iter().map(|tool| tool.spec.name);
        let capabilities = Capabilities::none().allow_tools(names).allow_risks(Risk::ALL).permissions(["*"]);
        let session = gate.session(SessionOptions::new("agent").capabilities(capabilities)).unwrap();
        let call = ToolCall::new(&row.tool, row.raw_arguments.as_bytes());
        let result = session.task("malformed", row.id.to_string()).call(call).await;
        let labelled = if row.classes == ["unknown_tool"] { Code::ToolNotFound } else { Code::InvalidArgument };
        let predicted = match serde_json::from_str::<Value>(&row.raw_arguments) {
            Err(_) => Code::MalformedCall,
            Ok(arguments) => match desk.oracle(suite).allows(&row.tool, &arguments) {
                None => Code::ToolNotFound,
                Some(false) => Code::InvalidArgument,
                Some(true) => Code::Ok,
            },
        };
        unlike_label += u32::from(predicted != labelled);
        assert_eq!(result.code, predicted, "row {}: {result:?}", row.id);
        assert_eq!((result.effect, result.data.is_none()), (Effect::None, true), "row {}", row.id);
        check_repair(row, &result.details);
        *table.entry((row.classes.join(" + "), result.code.as_str())).or_default() += 1;
    }
    println!("{} malformed calls, {unlike_label} whose label another validator does not share", rows.len());
    table.iter().for_each(|((classes, code), count)| println!("  {classes:<42} {code:<18} {count:>4}"));
    assert_eq!(unlike_label, 0);
}

/// What is wrong is said where it is, by a rule of its kind.
fn check_repair(row: &Malformed, details: &serde_json::Map<String, Value>) {
    let rules: Vec<&str> = details
        .get("problems")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|problem| problem["rule"].as_str())
        .collect();
    for class in &row.classes {
        let rule = match class.as_str() {
            "unknown_tool" => continue,
            "extra_field" => "schema.additional",
            "missing_required" => "schema.required",
            "enum_violation" => "schema.enum",
            _ => "schema.type",
        };
        assert!(rules.contains(&rule), "row {}: {class} among {rules:?}", row.id);
    }
}
