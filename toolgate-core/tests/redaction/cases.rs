//! The shared case file, run row by row.
//!
//! Not here: rows marked `manual`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Map, Value};
use toolgate_core::clip::clip;
use toolgate_core::redact::{Pack, Redactor};

type Secrets = BTreeMap<String, String>;

fn read(name: &str) -> String {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/cases");
    let folder = std::env::var_os("TOOLGATE_CASES").map_or(own, PathBuf::from);
    std::fs::read_to_string(folder.join(name)).unwrap()
}

fn secrets() -> Secrets {
    let parts: BTreeMap<String, Vec<String>> = serde_json::from_str(&read("fixture-secrets.json")).unwrap();
    parts.into_iter().map(|(name, parts)| (name, parts.concat())).collect()
}

fn filled(text: &str, secrets: &Secrets) -> String {
    secrets.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}

/// Placeholders filled in every string and key.
fn filled_value(value: &Value, secrets: &Secrets) -> Value {
    match value {
        Value::String(text) => Value::String(filled(text, secrets)),
        Value::Array(items) => items.iter().map(|item| filled_value(item, secrets)).collect(),
        Value::Object(members) => {
            let pairs = members.iter().map(|(key, value)| (filled(key, secrets), filled_value(value, secrets)));
            Value::Object(pairs.collect())
        }
        other => other.clone(),
    }
}

fn strings<'a>(value: &'a Value, out: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => out.push(text),
        Value::Array(items) => items.iter().for_each(|item| strings(item, out)),
        Value::Object(members) => {
            for (key, value) in members {
                out.push(key);
                strings(value, out);
            }
        }
        _ => {}
    }
}

fn contains(value: &Value, needle: &str) -> bool {
    let mut all = Vec::new();
    strings(value, &mut all);
    value.to_string().contains(needle) || all.iter().any(|text| text.contains(needle))
}

fn list<'a>(value: Option<&'a Value>, secrets: &'a Secrets) -> Result<Vec<String>, String> {
    let items = value.and_then(Value::as_array).ok_or("a list is missing")?;
    items.iter().map(|item| Ok(filled(item.as_str().ok_or("not a text")?, secrets))).collect()
}

struct Plan {
    redactor: Redactor,
    clip: Option<usize>,
    twice: bool,
}

fn plan(policy: &Map<String, Value>, secrets: &Secrets) -> Result<Plan, String> {
    let mut plan = Plan { redactor: Redactor::default(), clip: None, twice: false };
    for (name, value) in policy {
        match name.as_str() {
            "known_secrets" => {
                for secret in list(Some(value), secrets)? {
                    plan.redactor = plan.redactor.with_secret(secret);
                }
            }
            "packs" if *value == serde_json::json!(["pci"]) => {
                plan.redactor = plan.redactor.with_pack(Pack::Pci);
            }
            "inject" if value == "panic" => {
                plan.redactor = plan.redactor.with_hook(|_| panic!("injected"));
            }
            "clip_bytes" => {
                plan.clip = value.as_u64().and_then(|bytes| usize::try_from(bytes).ok());
            }
            "twice" => plan.twice = value == true,
            other => return Err(format!("unknown policy field or form `{other}`")),
        }
    }
    Ok(plan)
}

fn run(case: &Map<String, Value>, secrets: &Secrets) -> Result<(), String> {
    const FIELDS: [&str; 7] = ["id", "input", "context", "expected", "why", "source", "policy"];
    if let Some(unknown) = case.keys().find(|key| !FIELDS.contains(&key.as_str())) {
        return Err(format!("unknown field `{unknown}`"));
    }
    let none = Map::new();
    let policy = case.get("policy").map_or(Some(&none), Value::as_object).ok_or("policy is not an object")?;
    let expected = case.get("expected").and_then(Value::as_object).ok_or("expected is not an object")?;
    if let Some(unknown) = expected.keys().find(|key| !["must_not_contain", "must_contain"].contains(&key.as_str())) {
        return Err(format!("unknown expectation `{unknown}`"));
    }
    let plan = plan(policy, secrets)?;
    let input = filled_value(case.get("input").ok_or("no input")?, secrets);
    let mut output = plan.redactor.value(&input);
    if plan.twice && plan.redactor.value(&output) != output {
        return Err("a second run changes it".to_owned());
    }
    if let Some(limit) = plan.clip {
        output = clip(&output, limit).value;
    }
    if let Some(left) = list(expected.get("must_not_contain"), secrets)?.iter().find(|needle| contains(&output, needle))
    {
        return Err(format!("a forbidden text of {} bytes is left", left.len()));
    }
    match list(expected.get("must_contain"), secrets)?.iter().find(|needle| !contains(&output, needle)) {
        Some(lost) => Err(format!("`{lost}` is lost")),
        None => Ok(()),
    }
}

#[test]
fn cases_redaction() {
    let secrets = secrets();
    let text = read("redaction.jsonl");
    let rows = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str::<Map<String, Value>>(line).unwrap());
    let (mut right, mut total, mut wrong) = (0, 0, Vec::new());
    for case in rows.filter(|case| case.get("manual") != Some(&Value::Bool(true))) {
        total += 1;
        let id = case.get("id").and_then(Value::as_str).unwrap_or("?").to_owned();
        match run(&case, &secrets) {
            Ok(()) => right += 1,
            Err(reason) => wrong.push(format!("{id}: {reason}")),
        }
    }
    println!("{right} right of {total}");
    assert!(wrong.is_empty(), "{right} right of {total}; wrong:\n{}", wrong.join("\n"));
}
