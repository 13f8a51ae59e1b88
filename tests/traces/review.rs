//! The review of other people's tools: what it finds in them, and that it finds the sets of words that were taken out
//! of a schema and left in its descriptions. No tool runs here.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use toolgate_core::review::{Finding, Review};
use toolgate_core::spec::DynamicTool;

use crate::data::{folder, lines, read_json, text_of};

/// What is found in one tool by itself, which only reads.
fn findings(name: &str, doc: &str, schema: &Value) -> Vec<Finding> {
    let name: String = name.chars().map(|letter| if letter == '.' { '_' } else { letter }).collect();
    let tool = DynamicTool::new(name, doc, schema.clone()).reads().handler(|_, _| async { Ok(json!(null)) });
    let report = Review::of([tool.unwrap()]).run().unwrap();
    assert_eq!(report.allowed, []);
    report.findings
}

fn tell(set: &str, found: &[Finding]) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in found {
        *counts.entry(finding.rule).or_default() += 1;
        if std::env::var_os("TOOLGATE_TELL").is_some() {
            println!("{set}: {finding}");
        }
    }
    println!("{set}: {counts:?}");
}

#[test]
fn desks_of_other_people_are_reviewed() {
    let Some(folder) = folder() else { return };
    let mut found = Vec::new();
    for (suite, tools) in read_json(&folder, "agentdojo-tools.json").as_object().unwrap() {
        let tools = tools.as_array().unwrap().iter().map(|tool| {
            let tool =
                DynamicTool::new(text_of(tool, "name"), text_of(tool, "description"), tool["inputSchema"].clone());
            tool.reads().handler(|_, _| async { Ok(json!(null)) }).unwrap()
        });
        let review = Review::of(tools.collect::<Vec<_>>());
        let report = review.run().unwrap();
        tell(suite, &report.findings);
        assert_eq!(report, review.run().unwrap(), "the same again");
        found.extend(report.findings);
    }
    let is_found = |rule: &str, at: &str| found.iter().any(|finding| finding.rule == rule && finding.at() == at);
    assert!(is_found("arg.not_sensitive", "update_password/password"));
    assert!(is_found("effect.read_acts", "send_money"), "they are all declared as reads here");
    assert!(is_found("arg.money_is_float", "send_money/amount"));
    assert!(is_found("arg.string_is_date", "create_calendar_event/start_time"));
    found.clear();
    for tool in read_json(&folder, "tau-airline-tools.json").as_array().unwrap() {
        found.extend(findings(text_of(tool, "name"), text_of(tool, "description"), &tool["parameters"]));
    }
    tell("airline", &found);
}

/// Takes closed sets of words out of a schema where its description has all of them, in quotes; how many.
fn open_up(schema: &mut Value, pointer: &str, opened: &mut BTreeSet<String>) {
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (name, property) in properties {
        let pointer = format!("{pointer}/{name}");
        let words: Vec<String> = property["enum"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|word| Some(word.as_str()?.to_owned()))
            .collect();
        let doc = property["description"].as_str().unwrap_or_default();
        let lists = words.len() > 1
            && words.iter().all(|word| doc.contains(&format!("'{word}'")) || doc.contains(&format!("\"{word}\"")));
        if lists && property["type"] == "string" {
            property.as_object_mut().unwrap().remove("enum");
            property.as_object_mut().unwrap().remove("default");
            opened.insert(pointer.clone());
        }
        open_up(property, &pointer, opened);
    }
}

#[test]
fn words_that_a_description_lists_are_found_when_the_schema_no_longer_has_them() {
    let Some(folder) = folder() else { return };
    let tools: Vec<Value> = lines(&folder, "bfcl-tools.jsonl");
    let (mut missing, mut all, mut missed, mut more) = (0, 0, Vec::new(), Vec::new());
    let mut everything = Vec::new();
    for tool in &tools {
        let mut schema = tool["inputSchema"].clone();
        let mut opened = BTreeSet::new();
        open_up(&mut schema, "", &mut opened);
        let found = findings(text_of(tool, "tool"), "Does as its name says.", &schema);
        let places: BTreeSet<&str> = found
            .iter()
            .filter(|finding| finding.rule == "arg.free_string_enum")
            .map(|finding| finding.place.as_str())
            .collect();
        all += opened.len();
        for place in &opened {
            if !places.contains(place.as_str()) {
                missing += 1;
                missed.push(format!("{} {place}", text_of(tool, "tool")));
            }
        }
        let others =
            found.iter().filter(|finding| finding.rule == "arg.free_string_enum" && !opened.contains(&finding.place));
        more.extend(others.map(ToString::to_string));
        everything.extend(found);
    }
    tell("bfcl", &everything);
    println!("{} of {all} lists of words found, {} more places", all - missing, more.len());
    assert!(missing * 5 <= all, "{missed:#?}");
    if std::env::var_os("TOOLGATE_TELL").is_some() {
        println!("missed {missed:#?} more {more:#?}");
    }
}
