//! Arguments that real models got wrong. As they came, each is refused where it is wrong, by the rule of
//! its kind and with what was expected, and nothing runs. With repairs allowed, those run whose one
//! reading is clear, as another validator reads them, and no others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value};
use toolgate_core::call::{Code, ToolCall, ToolResult};
use toolgate_core::contract::Repairs;
use toolgate_core::json::{Limits, Node, parse_arguments};
use toolgate_core::session::{Capabilities, SessionOptions};
use toolgate_core::spec::Risk;
use toolgate_core::store::{MemoryStore, Store};
use toolgate_core::tool::Effect;

use crate::data::{Malformed, folder, lines, read_json, text_of};
use crate::desk::{Desk, Grants};
use crate::expected::{Wrong, all_wrong, repairs};

async fn desk(folder: &Path) -> Desk {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new().unwrap());
    Desk::open(folder, store, Grants::All).await
}

fn suite(row: &Malformed) -> &str {
    row.schema_ref.rsplit('#').next().unwrap()
}

/// The schema as it was recorded, where there is such a tool.
fn schema<'s>(tools: &'s Value, row: &Malformed) -> Option<&'s Value> {
    let tools = tools[suite(row)].as_array().unwrap();
    tools.iter().find(|tool| text_of(tool, "name") == row.tool).map(|tool| &tool["inputSchema"])
}

async fn call(desk: &Desk, row: &Malformed, repairs: Repairs) -> ToolResult {
    let gate = desk.gate(suite(row));
    let names = gate.tools().iter().map(|tool| tool.spec.name);
    let capabilities = Capabilities::none().allow_tools(names).allow_risks(Risk::ALL).permissions(["*"]);
    let options = SessionOptions::new("agent").id(row.id.to_string()).capabilities(capabilities).coerce(repairs);
    desk.lay(&row.id.to_string(), "done");
    let task = gate.session(options).unwrap().task("malformed", row.id.to_string());
    task.call(ToolCall::new(&row.tool, row.raw_arguments.as_bytes())).await
}

/// How often each class of mistake ended in each way.
#[derive(Default)]
struct Table(BTreeMap<(String, String), u32>);

impl Table {
    fn count(&mut self, row: &Malformed, ending: &str) {
        *self.0.entry((row.classes.join(" + "), ending.to_owned())).or_default() += 1;
    }

    fn print(&self, title: &str) {
        println!("{title}");
        self.0.iter().for_each(|((classes, ending), count)| println!("  {classes:<42} {ending:<50} {count:>4}"));
    }

    fn of(&self, ending: &str) -> u32 {
        self.0.iter().filter(|((_, found), _)| found.contains(ending)).map(|(_, count)| count).sum()
    }
}

fn told(details: &Map<String, Value>) -> BTreeSet<(String, String, String)> {
    let problems = details.get("problems").and_then(Value::as_array).into_iter().flatten();
    let text = |problem: &Value, name| text_of(problem, name).to_owned();
    problems.map(|one| (text(one, "pointer"), text(one, "rule"), text(one, "expected"))).collect()
}

/// Where something was misspelt, the name that was meant is one that the tool has and the call hasn't.
fn check_nearest(row: &Malformed, schema: &Value, details: &Map<String, Value>) {
    for problem in details["problems"].as_array().unwrap() {
        let Some(near) = problem.get("nearest").and_then(Value::as_str) else { continue };
        match text_of(problem, "rule") {
            "schema.additional" => {
                let given: Value = serde_json::from_str(&row.raw_arguments).unwrap();
                assert!(schema["properties"].get(near).is_some() && given.get(near).is_none(), "row {}", row.id);
            }
            rule => assert_eq!(rule, "schema.enum", "row {}", row.id),
        }
    }
}

fn rule_of(class: &str) -> &'static str {
    match class {
        "extra_field" => "schema.additional",
        "missing_required" => "schema.required",
        "enum_violation" => "schema.enum",
        _ => "schema.type",
    }
}

#[tokio::test]
async fn every_malformed_call_is_refused_where_it_is_wrong_and_told_what_was_expected() {
    let Some(folder) = folder() else { return };
    let (desk, tools) = (desk(&folder).await, read_json(&folder, "agentdojo-tools.json"));
    let rows: Vec<Malformed> = lines(&folder, "malformed-calls.jsonl");
    let mut table = Table::default();
    for row in &rows {
        let result = call(&desk, row, Repairs::NONE).await;
        assert_eq!((result.effect, result.data.is_none()), (Effect::None, true), "row {}", row.id);
        table.count(row, result.rule().unwrap());
        let Some(schema) = schema(&tools, row) else {
            assert_eq!((result.code, result.rule()), (Code::ToolNotFound, Some("tool.unknown")), "row {}", row.id);
            assert_eq!(row.classes, ["unknown_tool"]);
            continue;
        };
        let arguments: Value = serde_json::from_str(&row.raw_arguments).unwrap();
        assert_eq!(desk.oracle(suite(row)).allows(&row.tool, &arguments), Some(false), "row {}", row.id);
        assert_eq!(result.code, Code::InvalidArgument, "row {}: {result:?}", row.id);
        let wrong = all_wrong(schema, &row.raw_arguments);
        let expected: BTreeSet<_> = wrong
            .iter()
            .map(|Wrong { pointer, rule, expected }| (pointer.clone(), (*rule).to_owned(), expected.clone()))
            .collect();
        assert_eq!(told(&result.details), expected, "row {}", row.id);
        check_nearest(row, schema, &result.details);
        // Each label of the data has its problem, and each problem its label.
        let labels: BTreeSet<&str> = row.classes.iter().map(|class| rule_of(class)).collect();
        assert_eq!(wrong.iter().map(|wrong| wrong.rule).collect::<BTreeSet<_>>(), labels, "row {}", row.id);
    }
    table.print(&format!("{} malformed calls, nothing repaired", rows.len()));
    assert_eq!(table.of("tool.unknown") + table.of("schema."), 168);
}

#[tokio::test]
async fn a_malformed_call_runs_only_where_a_named_repair_makes_it_valid() {
    let Some(folder) = folder() else { return };
    let (desk, tools) = (desk(&folder).await, read_json(&folder, "agentdojo-tools.json"));
    let rows: Vec<Malformed> = lines(&folder, "malformed-calls.jsonl");
    let mut table = Table::default();
    for row in &rows {
        let strict = call(&desk, row, Repairs::NONE).await;
        let result = call(&desk, row, Repairs::ALL).await;
        let Some(expected) = schema(&tools, row).and_then(|schema| repairs(schema, &row.raw_arguments)) else {
            assert_eq!((result.code, &result.details), (strict.code, &strict.details), "row {}", row.id);
            table.count(row, "refused");
            continue;
        };
        assert_eq!(result.code, Code::Ok, "row {}: {result:?}", row.id);
        let made = result.details["repairs"].as_array().unwrap().iter();
        let made = made.map(|repair| format!("{} {}", text_of(repair, "pointer"), text_of(repair, "repair")));
        assert_eq!(made.collect::<BTreeSet<_>>(), expected, "row {}", row.id);
        let repaired = what_ran(&desk, row);
        assert_eq!(desk.oracle(suite(row)).allows(&row.tool, &repaired), Some(true), "row {}: {repaired}", row.id);
        let names: BTreeSet<&str> = expected.iter().filter_map(|made| made.rsplit(' ').next()).collect();
        table.count(row, &format!("executed after {}", names.into_iter().collect::<Vec<_>>().join(" + ")));
    }
    table.print(&format!("{} malformed calls, all repairs allowed", rows.len()));
    assert_eq!(table.of("refused") + table.of("executed"), 168);
}

/// The arguments as the contract repairs them; the record has them redacted.
fn what_ran(desk: &Desk, row: &Malformed) -> Value {
    let tool = desk.gate(suite(row)).tools().get(&row.tool).unwrap().clone();
    let node: Node<'_> = parse_arguments(row.raw_arguments.as_bytes(), &Limits::DEFAULT, false).unwrap();
    tool.contract.repair(&node, Repairs::ALL, &Limits::DEFAULT).unwrap().0.to_value()
}
